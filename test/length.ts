/** `npm test -- --long` gives simulations and comparisons their full length; the usual run takes minutes. */
export function lengthOf(setting: string, { usual, long }: { usual: number; long: number }): number {
  const given = process.env[setting]
  if (given !== undefined) return Number(given)
  return process.env['TEST_LONG'] === '1' ? long : usual
}
