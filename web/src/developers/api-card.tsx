import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { getHealth } from '../api/service.ts'
import { curlOf } from '../app/curl.ts'
import { LinkButton } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { CodeBlock } from '../kit/code-block.tsx'
import { followBy } from '../kit/follow.ts'
import styles from './developers.module.css'
import { words } from './words.ts'

const LINKS = [
  ['/v1/openapi.json', words.openApi],
  ['/docs/', words.reference],
  ['/guide/guides/call-the-api', words.guide],
] as const

const LISTEN = 'npx --no earshot listen --forward-to http://localhost:3000/hook'

/** Where the API is described, and a first request. */
export function ApiCard() {
  const [, navigate] = useLocation()
  const health = useQuery({ queryKey: ['health'], queryFn: ({ signal }) => getHealth(signal) })
  return (
    <Card title={words.api} aside={health.data && words.version(health.data.version)}>
      <div className={styles.stack}>
        <p>{words.apiHint}</p>
        <div className={styles.line}>
          {LINKS.map(([address, label]) => (
            <LinkButton key={address} size="small" href={address}>
              {label}
            </LinkButton>
          ))}
          <LinkButton size="small" href="/settings/api-keys" onClick={followBy(navigate)}>
            {words.makeKey}
          </LinkButton>
        </div>
        <CodeBlock
          label={words.firstRequest}
          language="shell"
          code={curlOf({ method: 'GET', address: '/v1/whoami', body: null }, location.origin)}
        />
        <div>
          <h3>{words.listen}</h3>
          <p>{words.listenHint}</p>
        </div>
        <CodeBlock label={words.listenCommand} language="shell" code={LISTEN} />
      </div>
    </Card>
  )
}
