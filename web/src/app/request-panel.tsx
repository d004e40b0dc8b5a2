import { useSyncExternalStore } from 'react'
import { type RecordedRequest, recorder } from '../api/recorder.ts'
import { CodeBlock } from '../kit/code-block.tsx'
import { Dialog } from '../kit/dialog.tsx'
import styles from './request-panel.module.css'
import { words } from './words.ts'

/** The API behind the page: each request of the tab as the command that repeats it. */
export function RequestPanel({ onClose }: { onClose: () => void }) {
  const requests = useSyncExternalStore(recorder.subscribe, recorder.snapshot)
  return (
    <Dialog open onClose={onClose} title={words.requests} wide>
      <p className={styles.hint}>{requests.length === 0 ? words.noRequests : words.requestsHint}</p>
      <ol className={styles.requests}>
        {requests.map((request) => (
          <li key={request.id}>
            <details className={styles.request}>
              <summary>
                <code className={styles.address}>
                  {request.method} {request.address}
                </code>
                <span
                  className={styles.outcome}
                  data-failed={request.status >= 400 || request.status === 0 || undefined}
                >
                  {request.status}
                </span>
                <small>{words.took(request.milliseconds)}</small>
              </summary>
              <CodeBlock language="shell" label={words.curl} code={curlOf(request, location.origin)} />
              {request.requestId !== null && <small>{request.requestId}</small>}
            </details>
          </li>
        ))}
      </ol>
    </Dialog>
  )
}

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
