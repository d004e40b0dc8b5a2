/** The media type of a picture by its first bytes; null for anything else, such as SVG, which may hold scripts. */
export function rasterTypeOf(bytes: Buffer): string | null {
  const begins = (text: string, at = 0) => bytes.toString('latin1', at, at + text.length) === text
  if (begins('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (begins('\xff\xd8\xff')) return 'image/jpeg'
  if (begins('GIF87a') || begins('GIF89a')) return 'image/gif'
  if (begins('RIFF') && begins('WEBP', 8)) return 'image/webp'
  if (begins('ftypavif', 4)) return 'image/avif'
  return null
}
