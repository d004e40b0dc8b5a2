/** Browsers have locks on pages of this machine and over https, not on those of other machines over plain HTTP. */
export function hasLocks(): boolean {
  return 'locks' in navigator
}
