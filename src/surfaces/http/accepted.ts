/** What a client accepts, best first, from a header such as `de-AT, de;q=0.9, en;q=0.5`. Names are in lower case. */
export function acceptedIn(header: string | string[] | undefined): string[] {
  return String(header ?? '')
    .toLowerCase()
    .split(',')
    .map((entry) => {
      const [name = '', ...parameters] = entry.split(';').map((part) => part.trim())
      const quality = parameters.find((parameter) => parameter.startsWith('q='))
      return { name, quality: quality === undefined ? 1 : Number(quality.slice(2)) }
    })
    .filter(({ name, quality }) => name !== '' && quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ name }) => name)
}
