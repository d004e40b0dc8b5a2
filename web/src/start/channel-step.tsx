import { type ComponentType, useState } from 'react'
import { EmailForm } from '../app/new-channel/email-form.tsx'
import type { NewChannelProps } from '../app/new-channel/new-channel-props.ts'
import { isReady } from '../app/new-channel/ready.ts'
import { SlackForm } from '../app/new-channel/slack-form.tsx'
import { TelegramForm } from '../app/new-channel/telegram-form.tsx'
import { WebhookForm } from '../app/new-channel/webhook-form.tsx'
import { RadioCards } from '../kit/field.tsx'
import { BrowserCard } from './browser-card.tsx'
import { FeedCard } from './feed-card.tsx'
import styles from './start.module.css'
import { useChosenChannel } from './use-chosen-channel.ts'
import { words } from './words.ts'

const CARDS = {
  browser: BrowserCard,
  webhook: WebhookForm,
  slack: SlackForm,
  telegram: TelegramForm,
  email: EmailForm,
  feed: FeedCard,
} as const satisfies Record<string, ComponentType<NewChannelProps>>

type CardName = keyof typeof CARDS

const OPTIONS = (Object.keys(CARDS) as CardName[]).map((name) => ({
  value: name,
  label: words.kindNames[name],
  hint: words.kindHints[name],
}))

/** Kinds of channels that wait for somebody to connect a chat or to confirm an address. */
const WAITING_KINDS = ['telegram', 'email'] as const

export function ChannelStep({ channels }: Pick<NewChannelProps, 'channels'>) {
  const waiting = WAITING_KINDS.find((kind) => channels.some((channel) => channel.kind === kind && !isReady(channel)))
  const [name, setName] = useState<CardName>(waiting ?? 'browser')
  const Card = CARDS[name]
  const choose = useChosenChannel()
  return (
    <div className={styles.stack}>
      <RadioCards legend={words.where} options={OPTIONS} value={name} onChange={setName} />
      <div className={styles.panel}>
        <Card key={name} channels={channels} onCreated={choose} />
      </div>
    </div>
  )
}
