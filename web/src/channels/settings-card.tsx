import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type Channel, type ChannelChange, connectChannel } from '../api/channels.ts'
import { ApiError } from '../api/errors.ts'
import { reasonOf, unconfirmedOf, WaitingAddress } from '../app/new-channel/email-form.tsx'
import { SetUpFailure } from '../app/new-channel/set-up-failure.tsx'
import { words as setUpWords } from '../app/new-channel/words.ts'
import { Button, LinkButton } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { Field, TagInput, TextArea, TextInput } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import styles from './channels.module.css'
import { type ChannelDraft, changeOf, draftOf } from './draft.ts'
import { useChannelChange } from './use-channel.ts'
import { words } from './words.ts'

/** What a channel is called and where it sends to. */
export function SettingsCard({ channel }: { channel: Channel }) {
  const former = draftOf(channel)
  return (
    <Card title={words.settings}>
      <div className={styles.stack}>
        {channel.kind === 'telegram' && <Chat channel={channel} />}
        {'channelName' in channel.config && <p>{words.slackChannel(channel.config.channelName)}</p>}
        {/* An undo or a colleague changes the channel under the form, which then begins anew. */}
        <SettingsForm key={JSON.stringify(former)} channel={channel} former={former} />
        {unconfirmedOf(channel).map((address) => (
          <WaitingAddress key={address} id={channel.id} address={address} />
        ))}
      </div>
    </Card>
  )
}

function SettingsForm({ channel, former }: { channel: Channel; former: ChannelDraft }) {
  const [draft, setDraft] = useState(former)
  const saving = useChannelChange(channel)
  const { change, badHeader } = changeOf(former, draft)
  const isChanged = badHeader !== null || Object.keys(change).length > 0
  const fields = saving.error instanceof ApiError ? saving.error.fields : null
  const type = (part: Partial<ChannelDraft>) => setDraft((typed) => ({ ...typed, ...part }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (badHeader !== null || !isChanged || saving.isPending) return
    saving.mutate({ change: change as ChannelChange, text: words.saved(draft.label) })
  }
  return (
    <Form onSubmit={submit} noValidate>
      <Field label={words.label} error={fields?.get('label')}>
        <TextInput
          value={draft.label}
          maxLength={100}
          dir="auto"
          onChange={(event) => type({ label: event.target.value })}
        />
      </Field>
      {draft.url !== null && (
        <Field label={words.url} hint={words.urlNote} error={fields?.get('url')}>
          <TextInput type="url" dir="ltr" value={draft.url} onChange={(event) => type({ url: event.target.value })} />
        </Field>
      )}
      {draft.headers !== null && (
        <Field
          label={words.headers}
          hint={words.headersHint}
          error={badHeader === null ? headerReason(fields) : words.badHeader(badHeader)}
        >
          <TextArea
            dir="ltr"
            spellCheck={false}
            value={draft.headers}
            onChange={(event) => type({ headers: event.target.value })}
          />
        </Field>
      )}
      {draft.emails !== null && (
        <Field label={words.recipients} hint={words.recipientsHint} error={reasonOf(saving.error)}>
          <TagInput label={words.recipients} values={draft.emails} onChange={(emails) => type({ emails })} />
        </Field>
      )}
      {saving.error !== null && (fields === null || fields.size === 0) && <SetUpFailure error={saving.error} />}
      <div className={styles.line}>
        <Button type="submit" variant="primary" disabled={!isChanged} busy={saving.isPending}>
          {words.save}
        </Button>
        {isChanged && <Button onClick={() => setDraft(former)}>{words.discard}</Button>}
      </div>
    </Form>
  )
}

function headerReason(fields: ReadonlyMap<string, string> | null): string | undefined {
  return [...(fields ?? [])].find(([field]) => field.startsWith('headers'))?.[1]
}

/** The chat of a Telegram channel, and the link that connects one. */
function Chat({ channel: { id, config } }: { channel: Channel }) {
  const connection = useMutation({ mutationFn: () => connectChannel(id) })
  if (!('chatId' in config)) return null
  const made = connection.data?.config
  const link = made !== undefined && 'connectUrl' in made ? made.connectUrl : undefined
  return (
    <div className={styles.stack}>
      <p>{config.chatId === null ? words.noChat : words.chat(config.chatType ?? '', config.chatId)}</p>
      {link !== undefined && <p>{setUpWords.telegramWaits}</p>}
      <div className={styles.line}>
        {link !== undefined && (
          <LinkButton variant="primary" href={link} target="_blank" rel="noopener noreferrer">
            {setUpWords.telegramOpen}
          </LinkButton>
        )}
        <Button busy={connection.isPending} onClick={() => connection.mutate()}>
          {config.chatId === null ? words.connect : words.reconnect}
        </Button>
      </div>
      <SetUpFailure error={connection.error} />
    </div>
  )
}
