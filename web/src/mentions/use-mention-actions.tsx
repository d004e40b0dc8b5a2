import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { type Mention, type MentionChange, rescoreMention } from '../api/mentions.ts'
import { useDraft } from '../app/kept-drafts.ts'
import { type KeyHandlers, useKeys } from '../app/keys.ts'
import { safeAddress } from '../app/post/safe-address.ts'
import type { Sentiment } from '../app/post/sentiment.tsx'
import { RequestFailure } from '../app/request-failure.tsx'
import { copyText } from '../kit/copy.ts'
import { formatExact } from '../kit/time.tsx'
import { showToast } from '../kit/toast.tsx'
import { AssignDialog, lastSnooze, NoteDialog, SnoozeDialog } from './dialogs.tsx'
import { LessDialog } from './less-dialog.tsx'
import { MentionCache } from './mention-cache.ts'
import { mutePerson, TagDialog } from './person-actions.tsx'
import { snoozeEnd } from './snooze.ts'
import type { AssignableMember } from './triage.ts'
import { useAssignableMembers, useTriage } from './use-triage.ts'
import { words } from './words.ts'

type DialogKind = 'snooze' | 'assign' | 'note' | 'less' | 'tag'

export interface MentionActions {
  setStatus: (status: Mention['status']) => void
  setRelevant: (relevant: boolean) => void
  setSentiment: (sentiment: Sentiment) => void
  ask: (dialog: DialogKind) => void
  rescore: () => void
  mute: () => void
  openPerson: () => void
  copyLink: () => void
}

interface Target {
  /** What the next action changes. */
  mentions: readonly Mention[]
  /** The mention that is shown. */
  current: Mention | null
  /** Replaces the usual change, for a selection that the server knows by its filter. */
  changeAll?: ((change: MentionChange, text: string) => void) | null
  /** After a status was set. */
  onSettled: () => void
}

/** Everything that can be done with mentions, by key and by button, with the dialogs that ask for more. */
export function useMentionActions({ mentions, current, changeAll, onSettled }: Target): {
  actions: MentionActions
  dialog: ReactNode
} {
  const triage = useTriage()
  const client = useQueryClient()
  const openPerson = useOpenPerson(current)
  const [asked, setAsked] = useDraft<DialogKind | null>('question about a mention', null)
  const change = (values: MentionChange, what: string) => {
    setAsked(null)
    if (changeAll) changeAll(values, what)
    else void triage.change(mentions, values, words.did(what, mentions.length))
  }
  const settle = (values: MentionChange, what: string) => {
    change(values, what)
    onSettled()
  }
  const first = mentions[0] ?? null
  const actions: MentionActions = {
    setStatus: (status) => settle({ status }, words.didStatus[status]),
    setRelevant: (relevant) => {
      const isSame = mentions.every(({ classification }) => classification?.feedback?.relevant === relevant)
      const what = relevant ? words.didRelevant : words.didNotRelevant
      change({ relevant: isSame ? null : relevant }, isSame ? words.didClearVerdict : what)
    },
    setSentiment: (sentiment) => {
      const isSame = mentions.every(({ classification }) => classification?.feedback?.sentiment === sentiment)
      change({ sentiment: isSame ? null : sentiment }, isSame ? words.didClearVerdict : words.didSentiment(sentiment))
    },
    ask: (dialog) => (first === null ? undefined : setAsked(dialog)),
    rescore: () => void rescore(client, current),
    mute: () => void mutePerson(client, current),
    openPerson,
    copyLink: () => void copyLink(current),
  }
  const snooze = (end: Date) =>
    settle({ snoozedUntil: end.toISOString() }, words.didSnooze(formatExact(end.toISOString())))
  useKeys({
    ...keysOf(actions),
    snoozeAgain: () => snooze(snoozeEnd(lastSnooze(), new Date())),
    original: () => openOriginal(current),
  })
  const dialog = asked !== null && first !== null && (
    <AskedDialog kind={asked} mention={first} onChange={change} onSnooze={snooze} onClose={() => setAsked(null)} />
  )
  return { actions, dialog }
}

function keysOf(actions: MentionActions): KeyHandlers {
  return {
    done: () => actions.setStatus('done'),
    ignore: () => actions.setStatus('ignored'),
    reopen: () => actions.setStatus('open'),
    relevant: () => actions.setRelevant(true),
    notRelevant: () => actions.setRelevant(false),
    positive: () => actions.setSentiment('positive'),
    neutral: () => actions.setSentiment('neutral'),
    negative: () => actions.setSentiment('negative'),
    snooze: () => actions.ask('snooze'),
    assign: () => actions.ask('assign'),
    note: () => actions.ask('note'),
    less: () => actions.ask('less'),
    tag: () => actions.ask('tag'),
    mute: actions.mute,
    copyLink: actions.copyLink,
  }
}

/** Opens the page of the person who wrote the mention, also by key. */
function useOpenPerson(mention: Mention | null): () => void {
  const [, navigate] = useLocation()
  const id = mention?.author?.personId ?? null
  const open = () => (id === null ? undefined : navigate(`/people/${id}`))
  useKeys({ person: open })
  return open
}

interface AskedProps {
  kind: DialogKind
  mention: Mention
  onChange: (change: MentionChange, text: string) => void
  onSnooze: (end: Date) => void
  onClose: () => void
}

function AskedDialog({ kind, mention, onChange, onSnooze, onClose }: AskedProps) {
  if (kind === 'snooze') return <SnoozeDialog onClose={onClose} onChoose={onSnooze} />
  if (kind === 'less') return <LessDialog mention={mention} onClose={onClose} />
  if (kind === 'tag') return <TagDialog mention={mention} onClose={onClose} />
  if (kind === 'note')
    return <NoteDialog mention={mention} onClose={onClose} onChoose={(note) => onChange({ note }, words.didNote)} />
  return <AssignQuestion mention={mention} onChange={onChange} onClose={onClose} />
}

/** Only who assigns needs the members. */
function AssignQuestion({ mention, onChange, onClose }: Omit<AskedProps, 'kind' | 'onSnooze'>) {
  const triage = useTriage()
  const { data, error, refetch } = useAssignableMembers()
  const choose = (member: AssignableMember | null) => {
    if (member !== null) triage.know([member])
    onChange({ assigneeId: member?.userId ?? null }, member ? words.didAssign(member.name) : words.didUnassign)
  }
  const assigneeId = mention.triage.assignee?.id ?? null
  return (
    <AssignDialog members={data?.data ?? null} assigneeId={assigneeId} onClose={onClose} onChoose={choose}>
      {error !== null && <RequestFailure error={error} onRetry={() => void refetch()} />}
    </AssignDialog>
  )
}

function openOriginal(mention: Mention | null): void {
  const address = safeAddress(mention?.post.url)
  if (address !== null) window.open(address, '_blank', 'noopener,noreferrer')
}

async function copyLink(mention: Mention | null): Promise<void> {
  if (mention === null) return
  if (await copyText(`${location.origin}/mentions/${mention.id}`)) showToast({ text: words.linkCopied })
}

async function rescore(client: ReturnType<typeof useQueryClient>, mention: Mention | null): Promise<void> {
  if (mention === null) return
  try {
    new MentionCache(client).replace([await rescoreMention(mention.id)])
    showToast({ text: words.rescored })
  } catch (error) {
    showToast({ text: words.notSaved((error as Error).message), tone: 'negative' })
  }
}
