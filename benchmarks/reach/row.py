# row.py REPO COMMIT PROGRAM BUILD START END RC DIR: one line of the table, from DIR/PROGRAM.{json,err,rss}
import sys,json,csv,collections,re,os,subprocess,shlex
repo,commit,prog,build,s,e,rc,D=sys.argv[1:]
row=dict.fromkeys('lines files rss verdict prop proved violated open crash refused reasons'.split(),'')
reach=os.path.dirname(os.path.abspath(__file__)); src=f"{reach}/src/{repo.replace('/','+')}"
err=open(f'{D}/{prog}.err',errors='replace').read()
try: row['rss']=open(f'{D}/{prog}.rss').read()
except OSError: pass
def sources():
    for l in open(f'{reach}/repos.txt'):
        f=l.rstrip('\n').split('\t')
        if len(f)==5 and f[2]==prog: args=f[4]; break
    else: return []
    words=subprocess.run(['bash','-c',f'cd {shlex.quote(src)} && export REACH={shlex.quote(reach)} && for x in {args}; do echo "$x"; done'],capture_output=True,text=True).stdout.split('\n')
    out=[]
    for w in words:
        if w=='--': break
        p=os.path.join(src,w)
        if w.endswith('.c'): out.append(p)
        elif w and not w.startswith('-') and os.path.isfile(p):
            m=re.search(r'\.raddle +PROGBITS +\w+ (\w+) (\w+)',subprocess.run(['readelf','-S','-W',p],capture_output=True,text=True).stdout)
            t=open(p,'rb').read()[int(m[1],16):int(m[1],16)+int(m[2],16)].decode(errors='replace') if m else ''
            for l in t.replace('\0','\n').split('\n'):
                try: j=json.loads(l); out.append(os.path.join(j['directory'],j['file']))
                except ValueError: pass
    return sorted(set(out))
fs=sources(); row['files']=len(fs); n=0
for p in fs:
    try: n+=sum(1 for _ in open(p,errors='replace'))
    except OSError: pass
row['lines']=n
secs=float(e)-float(s)
try: j=json.load(open(f'{D}/{prog}.json'))
except Exception: j=None
if j is None:
    row['verdict']='none'; row['refused' if rc=='65' else 'crash']=f'exit {rc}: '+' '.join(err.split())[:300]
else:
    secs=j.get('wall_seconds',secs)
    row['verdict']=j['verdict']
    if j['verdict']=='unknown': row['verdict']='unknown('+str(j.get('reason'))+')'
    row['prop']=' '.join(sorted({v['property'] for v in j.get('violations',[])}))
    q=j.get('questions') or []
    c=collections.Counter(x['status'] for x in q)
    row['proved'],row['violated'],row['open']=c['proved'],c['violated'],c['open']
    if not q: row['crash']='no list of questions'
    t=collections.Counter()
    for x in q:
        if x['status']=='open':
            for w in {re.sub(r'\(?[\w./+-]+\.[ch]:\d+(:\d+)?\)?','',re.sub(r'`[^`]*`','`…`',y)) for y in [str(x.get('why'))]+[z['engine']+': '+z['why'] for z in x.get('tried') or []] if y!='None'}: t[w]+=1
    row['reasons']='; '.join(f'{n}x {w}' for w,n in t.most_common(5))
    if 'unsupported: ' in row['verdict'] and not q: row['refused']=j['reason']; row['crash']=''
    if j.get('stopped_by'): row['crash']=(row['crash']+' '+str(j['stopped_by'])).strip()
    if j.get('detail'): row['crash']+=' '+str(j['detail'])[:300]
csv.writer(sys.stdout,lineterminator='\n').writerow([repo,commit,prog,row['lines'],row['files'],build,f'{secs:.1f}',row['rss'],rc,row['verdict'],row['prop'],row['proved'],row['violated'],row['open'],row['crash'],row['refused'],row['reasons']])
