const NODE = `import { createHmac, timingSafeEqual } from 'node:crypto'

export function isGenuine(secret, headers, rawBody) {
  const timestamp = headers['x-mentions-timestamp'] ?? ''
  if (!/^\\d+$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false
  const signed = createHmac('sha256', secret).update(\`\${timestamp}.\`).update(rawBody).digest('hex')
  const expected = Buffer.from(\`v2=\${signed}\`)
  const given = Buffer.from(headers['x-mentions-signature-v2'] ?? '')
  return given.length === expected.length && timingSafeEqual(given, expected)
}`

const PYTHON = `import hashlib
import hmac
import time


def is_genuine(secret: str, headers: dict[str, str], raw_body: bytes) -> bool:
    timestamp = headers.get("x-mentions-timestamp", "")
    if not (timestamp.isascii() and timestamp.isdigit()) or abs(time.time() - int(timestamp)) > 300:
        return False
    signed = timestamp.encode() + b"." + raw_body
    expected = "v2=" + hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    given = headers.get("x-mentions-signature-v2", "")
    return hmac.compare_digest(expected.encode(), given.encode())`

const GO = `func isGenuine(secret string, header http.Header, rawBody []byte) bool {
	timestamp := header.Get("X-Mentions-Timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + "."))
	mac.Write(rawBody)
	expected := "v2=" + hex.EncodeToString(mac.Sum(nil))
	return hmac.Equal([]byte(expected), []byte(header.Get("X-Mentions-Signature-V2")))
}`

const RUBY = `require "openssl"

def genuine?(secret, headers, raw_body)
  timestamp = headers["x-mentions-timestamp"].to_s
  return false unless timestamp.match?(/\\A\\d+\\z/) && (Time.now.to_i - timestamp.to_i).abs <= 300
  expected = "v2=" + OpenSSL::HMAC.hexdigest("SHA256", secret, "#{timestamp}.#{raw_body}")
  given = headers["x-mentions-signature-v2"].to_s
  given.bytesize == expected.bytesize && OpenSSL.fixed_length_secure_compare(given, expected)
end`

const PHP = `function is_genuine(string $secret, array $headers, string $rawBody): bool {
    $timestamp = $headers['x-mentions-timestamp'] ?? '';
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) {
        return false;
    }
    $expected = 'v2=' . hash_hmac('sha256', $timestamp . '.' . $rawBody, $secret);
    return hash_equals($expected, $headers['x-mentions-signature-v2'] ?? '');
}`

/** Functions that check the second signature, which also holds the time. Names of headers are in lower case. */
export const VERIFY_SNIPPETS = { 'Node.js': NODE, Python: PYTHON, Go: GO, Ruby: RUBY, PHP } as const

export type SnippetLanguage = keyof typeof VERIFY_SNIPPETS
