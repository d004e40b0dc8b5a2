import { useLocation, useSearchParams } from 'wouter'
import { LinkButton } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { CodeBlock } from '../kit/code-block.tsx'
import { CopyField } from '../kit/copy-field.tsx'
import { Checkbox, Field, NativeSelect } from '../kit/field.tsx'
import { followBy } from '../kit/follow.ts'
import { Notice } from '../kit/notice.tsx'
import { CLIENT_NAMES, isPrivateHost, setupFor, toolServerUrl } from './clients.ts'
import styles from './developers.module.css'
import { words } from './words.ts'

/** The address of the tool server, and what each client needs of it. */
export function ClientCard() {
  const [params] = useSearchParams()
  const [, navigate] = useLocation()
  const all = params.get('tools') === 'all'
  const url = toolServerUrl(location.origin, all)
  const client = CLIENT_NAMES.find((name) => name === params.get('client')) ?? 'claudeCode'
  const setup = setupFor(client, url)
  const keyed = setup.withKey !== null && (setup.signIn === null || params.get('key') === 'yes')
  const shown = (keyed ? setup.withKey : setup.signIn) ?? { code: url, language: 'text' as const }
  const show = (chosen: string, { tools = all, key = keyed }: { tools?: boolean; key?: boolean }) =>
    navigate(`/developers?client=${chosen}${tools ? '&tools=all' : ''}${key ? '&key=yes' : ''}`, { replace: true })
  return (
    <Card title={words.clients}>
      <div className={styles.stack}>
        <p>{words.clientsHint}</p>
        <CopyField label={words.address} value={url} />
        <Checkbox
          label={words.allTools}
          hint={words.allToolsHint}
          checked={all}
          onChange={(event) => show(client, { tools: event.currentTarget.checked })}
        />
        <Field label={words.client}>
          <NativeSelect
            options={CLIENT_NAMES.map((value) => ({ value, label: words.clientNames[value] }))}
            value={client}
            onChange={(event) => show(event.target.value, { key: false })}
          />
        </Field>
        {setup.signIn !== null && setup.withKey !== null && (
          <Checkbox
            label={words.withKey}
            hint={words.withKeyHint}
            checked={keyed}
            onChange={(event) => show(client, { key: event.currentTarget.checked })}
          />
        )}
        <p>{words.steps[client]}</p>
        <CodeBlock code={shown.code} language={shown.language} label={words.setup(words.clientNames[client])} />
        {setup.isRemote && isPrivateHost(location.hostname) && <Notice tone="warning">{words.remote}</Notice>}
        <div className={styles.line}>
          {keyed && (
            <LinkButton size="small" href="/settings/api-keys" onClick={followBy(navigate)}>
              {words.makeKey}
            </LinkButton>
          )}
          <a href="/guide/guides/ai-client">{words.clientGuide}</a>
          <a href="/guide/generated/ai-clients">{words.allClients}</a>
        </div>
      </div>
    </Card>
  )
}
