import { useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import type { Alert } from '../api/alerts.ts'
import { isGone } from '../api/errors.ts'
import { parseFilter } from '../app/filter/filter-params.ts'
import { Page } from '../app/page.tsx'
import { QueryPanel } from '../app/query-panel.tsx'
import { Badge } from '../kit/badge.tsx'
import { Button, IconButton, LinkButton } from '../kit/button.tsx'
import { Count } from '../kit/count.tsx'
import { Empty } from '../kit/empty.tsx'
import { FigureCard } from '../kit/figure-card.tsx'
import { followBy } from '../kit/follow.ts'
import { More } from '../kit/icons.tsx'
import { Menu } from '../kit/menu.tsx'
import { Time } from '../kit/time.tsx'
import styles from './alerts.module.css'
import { DeleteAlert } from './delete-alert.tsx'
import { draftOf, emptyDraft } from './draft.ts'
import { RuleEditor } from './rule-editor.tsx'
import { scheduleInWords } from './schedule.ts'
import { stateOf } from './state.ts'
import { useAlert, usePause, useRun, useTest } from './use-alert.ts'
import { words } from './words.ts'

export default function AlertPage({ params }: { params: Readonly<Record<string, string>> }) {
  const id = params['alert']
  return id === undefined ? <NewRule /> : <ExistingRule key={id} id={id} />
}

/** Conditions in the address, by the parameters of the API, become those of the new rule. */
function NewRule() {
  const [search] = useSearchParams()
  const channelId = search.get('channelId')
  return (
    <Page title={words.newTitle} actions={<BackLink />}>
      <RuleEditor alert={null} former={emptyDraft(parseFilter(search), channelId === null ? [] : [channelId])} />
    </Page>
  )
}

function BackLink() {
  const [, navigate] = useLocation()
  return (
    <LinkButton href="/alerts" onClick={followBy(navigate)}>
      {words.back}
    </LinkButton>
  )
}

function ExistingRule({ id }: { id: string }) {
  const alert = useAlert(id)
  if (alert.data !== undefined) return <LoadedRule alert={alert.data} />
  if (isGone(alert.error))
    return (
      <Page title={words.title}>
        <Empty title={words.missing} action={<BackLink />}>
          {words.missingHint}
        </Empty>
      </Page>
    )
  return (
    <Page title={words.title}>
      <QueryPanel query={alert} lines={8} height={48}>
        {() => null}
      </QueryPanel>
    </Page>
  )
}

function LoadedRule({ alert }: { alert: Alert }) {
  const former = draftOf(alert)
  return (
    <Page title={alert.name} beside={<Beside alert={alert} />} actions={<Actions alert={alert} />}>
      <Figures alert={alert} />
      {/* An undo or a colleague changes the rule under the editor, which then begins anew. */}
      <RuleEditor key={JSON.stringify(former)} alert={alert} former={former} />
    </Page>
  )
}

function Beside({ alert }: { alert: Alert }) {
  const { tone, label } = stateOf(alert)
  return (
    <>
      <Badge tone={tone}>{label}</Badge>
      <span className={styles.small}>{scheduleInWords(alert)}</span>
    </>
  )
}

function Figures({ alert: { id, stats } }: { alert: Alert }) {
  const [, navigate] = useLocation()
  return (
    <div className={styles.figures}>
      <FigureCard
        label={words.stats.week}
        value={<Count value={stats.sentLast7d} />}
        note={
          <a href={`/deliveries?alertId=${id}`} onClick={followBy(navigate)}>
            {words.openLog}
          </a>
        }
      />
      <FigureCard
        label={words.stats.last}
        value={stats.lastSentAt === null ? words.never : <Time at={stats.lastSentAt} />}
      />
      {stats.nextRunAt !== null && <FigureCard label={words.stats.next} value={<Time at={stats.nextRunAt} />} />}
    </div>
  )
}

function Actions({ alert }: { alert: Alert }) {
  const [, navigate] = useLocation()
  const [deleting, setDeleting] = useState(false)
  const { toggle, busy, label } = usePause(alert)
  const [sending, running] = [useTest(alert), useRun(alert)]
  return (
    <>
      <Button busy={sending.isPending} disabled={!alert.enabled} onClick={() => sending.mutate()}>
        {words.test}
      </Button>
      {alert.mode !== 'instant' && (
        <Button busy={running.isPending} disabled={!alert.enabled} onClick={() => running.mutate()}>
          {words.run}
        </Button>
      )}
      <Button busy={busy} onClick={toggle}>
        {label}
      </Button>
      <Menu
        label={words.actionsOf(alert.name)}
        trigger={<IconButton label={words.actionsOf(alert.name)} icon={<More />} />}
        items={[{ label: words.remove, danger: true, onSelect: () => setDeleting(true) }]}
      />
      <DeleteAlert
        alert={alert}
        open={deleting}
        onClose={() => setDeleting(false)}
        onDeleted={() => navigate('/alerts')}
      />
    </>
  )
}
