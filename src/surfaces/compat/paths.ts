/** Below the public origin. Its parent is what clients of the other interface take for the host. */
export const COMPAT_ROOT = '/compat/api/v2'

/** Proxies may send an absolute URL. */
export function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/?#]*/, '').replace(/[?#].*$/s, '')
}

export function isCompatPath(path: string): boolean {
  return path === '/compat' || path.startsWith('/compat/')
}

/** Everything else under `/compat` does not exist, for whoever asks. */
export function mayBeOperation(path: string): boolean {
  return path.startsWith(`${COMPAT_ROOT}/`) && !path.endsWith('/')
}
