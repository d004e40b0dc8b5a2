import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type Alert,
  type AlertChange,
  createAlert,
  deleteAlert,
  getAlert,
  muteAlertAuthors,
  runAlert,
  testAlert,
  unmuteAlertAuthors,
  updateAlert,
} from '../api/alerts.ts'
import { offerUndo } from '../app/undo.ts'
import { ALERTS_QUERY } from '../app/workspace-queries.ts'
import { showToast } from '../kit/toast.tsx'
import { formerOf } from './draft.ts'
import { words } from './words.ts'

export function useAlerts() {
  return useQuery(ALERTS_QUERY)
}

export function useAlert(id: string) {
  return useQuery({ queryKey: ['alerts', id], queryFn: ({ signal }) => getAlert(id, signal) })
}

function keep(client: QueryClient, alert: Alert): void {
  client.setQueryData(['alerts', alert.id], alert)
  void client.invalidateQueries({ queryKey: ['alerts'], exact: true })
  void client.invalidateQueries({ queryKey: ['channels'] })
}

export function useCreation(onCreated: (alert: Alert) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: createAlert,
    onSuccess: (alert) => {
      keep(client, alert)
      showToast({ text: words.created(alert.name), tone: 'positive' })
      onCreated(alert)
    },
  })
}

interface Change {
  change: AlertChange
  /** What was done, such as "The rule Complaints is paused". */
  text: string
}

/** Changes a rule, and offers to bring the former values back. */
export function useAlertChange(alert: Alert) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ change }: Change) => updateAlert(alert.id, change),
    onSuccess: (changed, { change, text }) => {
      keep(client, changed)
      const former = formerOf(alert, change)
      offerUndo({ text, revert: async () => keep(client, await updateAlert(alert.id, former)) })
    },
  })
}

export function usePause(alert: Alert) {
  const change = useAlertChange(alert)
  const { enabled, name } = alert
  const toggle = () =>
    change.mutate(
      { change: { enabled: !enabled }, text: enabled ? words.paused(name) : words.resumed(name) },
      { onError: fail },
    )
  return { toggle, busy: change.isPending, label: enabled ? words.pause : words.resume }
}

interface Outcome {
  channelId: string
  ok: boolean
  error: string | null
}

function failuresOf({ channels }: Alert, outcomes: readonly Outcome[]): string[] {
  const labels = new Map(channels.map(({ id, label }) => [id, label]))
  return outcomes
    .filter(({ ok }) => !ok)
    .map(({ channelId, error }) => words.outcomeFailed(labels.get(channelId) ?? channelId, error ?? ''))
}

function fail(error: Error): void {
  showToast({ text: error.message, tone: 'negative' })
}

export function useTest(alert: Alert) {
  return useMutation({
    mutationFn: () => testAlert(alert.id),
    onSuccess: ({ outcomes }) => {
      const failures = failuresOf(alert, outcomes)
      if (failures.length === 0) showToast({ text: words.testDone(outcomes.length), tone: 'positive' })
      else showToast({ text: words.testFailed(failures), tone: 'negative' })
    },
    onError: fail,
  })
}

export function useRun(alert: Alert) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => runAlert(alert.id),
    onSuccess: ({ skipped, relevant, outcomes }) => {
      void client.invalidateQueries({ queryKey: ['alerts'] })
      const failures = failuresOf(alert, outcomes)
      if (skipped !== null) showToast({ text: words.runSkipped[skipped] })
      else if (failures.length > 0) showToast({ text: words.runFailed(failures), tone: 'negative' })
      else showToast({ text: words.runDone(relevant), tone: 'positive' })
    },
    onError: fail,
  })
}

export function useDeletion({ id, name }: Alert, onDeleted: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => deleteAlert(id),
    onSuccess: () => {
      showToast({ text: words.removed(name) })
      onDeleted()
      client.removeQueries({ queryKey: ['alerts', id] })
      void client.invalidateQueries({ queryKey: ['alerts'] })
      void client.invalidateQueries({ queryKey: ['channels'] })
    },
  })
}

/** Mutes an author in a rule, or ends that; each is the undo of the other. */
export function useAuthorMute({ id }: Alert) {
  const client = useQueryClient()
  const mute = async (author: string) => keep(client, await muteAlertAuthors(id, [author]))
  const unmute = async (author: string) => keep(client, await unmuteAlertAuthors(id, [author]))
  return {
    muting: useMutation({
      mutationFn: mute,
      onSuccess: (_, author) => offerUndo({ text: words.muted(author), revert: () => unmute(author) }),
    }),
    unmuting: useMutation({
      mutationFn: unmute,
      onSuccess: (_, author) => offerUndo({ text: words.unmuted(author), revert: () => mute(author) }),
      onError: fail,
    }),
  }
}
