import { useSyncExternalStore } from 'react'
import { recorder } from '../api/recorder.ts'
import { CodeBlock } from '../kit/code-block.tsx'
import { curlOf } from './curl.ts'
import styles from './request-list.module.css'
import { words } from './words.ts'

/** Each request of the tab, newest first, as the command that repeats it. */
export function RequestList() {
  const requests = useSyncExternalStore(recorder.subscribe, recorder.snapshot)
  return (
    <>
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
    </>
  )
}
