import type { RecordedRequest } from '../api/recorder.ts'

/** The command of a shell that sends the same request with an API key. */
export function curlOf(
  { method, address, body }: Pick<RecordedRequest, 'method' | 'address' | 'body'>,
  origin: string,
): string {
  const lines = [`curl ${quoted(origin + address)}`, `  -H "Authorization: Bearer $EARSHOT_API_KEY"`]
  if (method !== 'GET') lines.splice(1, 0, `  -X ${method}`)
  if (body !== null) lines.push(`  -H 'Content-Type: application/json'`, `  -d ${quoted(body)}`)
  return lines.join(' \\\n')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
