import type { Channel } from '../../api/channels.ts'
import { Badge } from '../../kit/badge.tsx'
import { CodeBlock } from '../../kit/code-block.tsx'
import type { Tone } from '../../kit/tone.ts'
import styles from './signed-request.module.css'
import { words } from './words.ts'

type Verdict = keyof typeof words.signatures

const TONES: Readonly<Record<Verdict, Tone>> = { valid: 'positive', invalid: 'negative', unknown: 'neutral' }

interface SignedRequestProps {
  title: string
  /** Where the request goes; null for providers. */
  address: string | null
  request: { method: string; headers: Readonly<Record<string, string>>; body: string; truncated?: boolean }
  /** Of the receiver, where it checks the signature. */
  verdict?: Verdict | undefined
}

/** A request of a channel: its line, its headers with the signature, and its body. */
export function SignedRequest({ title, address, request, verdict }: SignedRequestProps) {
  const { method, headers, body, truncated = false } = request
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const lines = [address === null ? method : `${method} ${address}`, ...fields]
  return (
    <div className={styles.request}>
      <h3 className={styles.title}>
        {title}
        {verdict !== undefined && <Badge tone={TONES[verdict]}>{words.signatures[verdict]}</Badge>}
      </h3>
      <div className={styles.parts}>
        <CodeBlock language="http" label={words.headers} code={lines.join('\n')} />
        <div>
          <CodeBlock language="json" label={words.body} code={readable(body)} />
          {truncated && <small>{words.bodyCut}</small>}
        </div>
      </div>
    </div>
  )
}

export function addressOf({ config }: Channel): string | null {
  return 'url' in config ? config.url : null
}

/** JSON on lines of its own; anything else as it is. */
export function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
