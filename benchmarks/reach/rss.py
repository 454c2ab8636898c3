import os,sys,resource,subprocess
p=subprocess.run(sys.argv[2:])
open(sys.argv[1],'w').write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss//1024))
sys.exit(p.returncode if p.returncode>=0 else 128-p.returncode)
