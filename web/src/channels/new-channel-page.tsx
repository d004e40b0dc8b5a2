import { type ComponentType, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import type { Channel } from '../api/channels.ts'
import { EmailForm } from '../app/new-channel/email-form.tsx'
import type { NewChannelProps } from '../app/new-channel/new-channel-props.ts'
import { NewSecretPanel } from '../app/new-channel/new-secret-panel.tsx'
import { SlackForm } from '../app/new-channel/slack-form.tsx'
import { TelegramForm } from '../app/new-channel/telegram-form.tsx'
import { WebhookForm } from '../app/new-channel/webhook-form.tsx'
import { Page } from '../app/page.tsx'
import { LinkButton } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { RadioCards } from '../kit/field.tsx'
import { followBy } from '../kit/follow.ts'
import { Notice } from '../kit/notice.tsx'
import styles from './channels.module.css'
import { useChannels } from './use-channel.ts'
import { words } from './words.ts'

const FORMS = {
  webhook: WebhookForm,
  slack: SlackForm,
  telegram: TelegramForm,
  email: EmailForm,
} as const satisfies Record<Channel['kind'], ComponentType<NewChannelProps>>

const KINDS = Object.keys(FORMS) as Channel['kind'][]
const OPTIONS = KINDS.map((kind) => ({ value: kind, label: words.kinds[kind], hint: words.kindHints[kind] }))

/** The set-up of a kind of channel. What this installation lacks for it is named by the form. */
export default function NewChannelPage() {
  const [params] = useSearchParams()
  const [, navigate] = useLocation()
  const [created, setCreated] = useState<Channel | null>(null)
  const channels = useChannels()
  const kind = KINDS.find((name) => name === params.get('kind')) ?? 'webhook'
  const Form = FORMS[kind]
  return (
    <Page
      title={words.addTitle}
      actions={
        <LinkButton href="/channels" onClick={followBy(navigate)}>
          {words.back}
        </LinkButton>
      }
    >
      <div className={styles.narrow}>
        {created === null && (
          <RadioCards
            legend={words.kind}
            options={OPTIONS}
            value={kind}
            onChange={(name) => navigate(`/channels/new?kind=${name}`, { replace: true })}
          />
        )}
        {created !== null && <Created channel={created} />}
        {(created === null || kind === 'telegram') && (
          <Card>
            <div className={styles.stack}>
              <Form key={kind} channels={channels.data?.data ?? []} onCreated={setCreated} />
            </div>
          </Card>
        )}
      </div>
    </Page>
  )
}

function Created({ channel: { id, label, config } }: { channel: Channel }) {
  const [, navigate] = useLocation()
  const href = `/channels/${id}`
  const secret = 'secret' in config ? config.secret : undefined
  return (
    <>
      <div role="status">
        <Notice
          tone="positive"
          action={
            secret === undefined && (
              <LinkButton size="small" href={href} onClick={followBy(navigate)}>
                {words.open}
              </LinkButton>
            )
          }
        >
          <p>{words.made(label)}</p>
        </Notice>
      </div>
      {'url' in config && secret !== undefined && (
        <NewSecretPanel url={config.url} secret={secret} onStored={() => navigate(href)} />
      )}
    </>
  )
}
