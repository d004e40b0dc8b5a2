/** Whether an origin can only be reached from the machine that it is on: its host is localhost or a loopback address. */
export function isOfThisMachine(origin: string): boolean {
  return /^https?:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/.test(origin)
}
