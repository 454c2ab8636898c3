//! Questions about everything that can happen from the present state on, answered by engines.
