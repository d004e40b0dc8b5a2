import { useQueryClient } from '@tanstack/react-query'
import { type ComponentType, useState } from 'react'
import { useLocation } from 'wouter'
import { ApiError } from '../api/errors.ts'
import type { Keyword } from '../api/keywords.ts'
import { Page } from '../app/page.tsx'
import { QueryPanel } from '../app/query-panel.tsx'
import { useLive } from '../app/use-live.ts'
import { Badge } from '../kit/badge.tsx'
import { Button, IconButton, LinkButton } from '../kit/button.tsx'
import { Empty } from '../kit/empty.tsx'
import { followBy } from '../kit/follow.ts'
import { More } from '../kit/icons.tsx'
import { Menu } from '../kit/menu.tsx'
import { TabLinks } from '../kit/tabs.tsx'
import { CostTab } from './cost-tab.tsx'
import { DeleteKeyword } from './delete-keyword.tsx'
import { ExplainTab } from './explain-tab.tsx'
import { HealthTab } from './health-tab.tsx'
import styles from './keywords.module.css'
import { RejectedTab } from './rejected-tab.tsx'
import { RulesTab } from './rules-tab.tsx'
import { stateOf } from './state.ts'
import { useKeyword, usePause } from './use-keyword.ts'
import { words } from './words.ts'

const TABS: Readonly<Record<keyof typeof words.tabs, ComponentType<{ keyword: Keyword }>>> = {
  health: HealthTab,
  rules: RulesTab,
  rejected: RejectedTab,
  explain: ExplainTab,
  cost: CostTab,
}
const TAB_NAMES = Object.keys(TABS) as (keyof typeof TABS)[]

export default function KeywordPage({ params }: { params: Readonly<Record<string, string>> }) {
  const id = params['keyword'] ?? ''
  const keyword = useKeyword(id)
  const client = useQueryClient()
  useLive(['keyword.changed'], ({ ids }) => {
    if (ids === null || ids.includes(id)) void client.invalidateQueries({ queryKey: ['keyword', id] })
  })
  if (keyword.data !== undefined) return <LoadedKeyword keyword={keyword.data} tab={params['tab'] ?? 'health'} />
  if (keyword.error instanceof ApiError && keyword.error.code === 'not_found') return <MissingKeyword />
  return (
    <Page title={words.title}>
      <QueryPanel query={keyword} lines={8} height={48}>
        {() => null}
      </QueryPanel>
    </Page>
  )
}

function MissingKeyword() {
  const [, navigate] = useLocation()
  return (
    <Page title={words.title}>
      <Empty
        title={words.missing}
        action={
          <LinkButton href="/keywords" onClick={followBy(navigate)}>
            {words.toList}
          </LinkButton>
        }
      >
        {words.missingHint}
      </Empty>
    </Page>
  )
}

function LoadedKeyword({ keyword, tab }: { keyword: Keyword; tab: string }) {
  const [, navigate] = useLocation()
  const { id, term, context } = keyword
  const current = TAB_NAMES.find((name) => name === tab) ?? 'health'
  const Tab = TABS[current]
  const tabs = TAB_NAMES.map((name) => ({
    href: name === 'health' ? `/keywords/${id}` : `/keywords/${id}/${name}`,
    label: words.tabs[name],
    current: name === current,
  }))
  return (
    <Page title={term} beside={<Beside keyword={keyword} />} actions={<Actions keyword={keyword} />}>
      {context !== null && (
        <p className={styles.context} dir="auto">
          {context}
        </p>
      )}
      <div className={styles.tabs}>
        <TabLinks label={words.tabsOf(term)} tabs={tabs} onNavigate={navigate} />
      </div>
      <Tab key={id} keyword={keyword} />
    </Page>
  )
}

function Beside({ keyword }: { keyword: Keyword }) {
  const { tone, label, why } = stateOf(keyword)
  return (
    <>
      <Badge tone={tone}>{label}</Badge>
      <span className={styles.small}>
        {why !== null && `${why} · `}
        {words.kinds[keyword.kind]} · <bdi>{keyword.group.name}</bdi>
      </span>
    </>
  )
}

function Actions({ keyword }: { keyword: Keyword }) {
  const [, navigate] = useLocation()
  const [deleting, setDeleting] = useState(false)
  const { toggle, busy, label } = usePause(keyword)
  return (
    <>
      <Button busy={busy} onClick={toggle}>
        {label}
      </Button>
      <LinkButton href={`/inbox?keywordIds=${keyword.id}`} onClick={followBy(navigate)}>
        {words.openMentions}
      </LinkButton>
      <Menu
        label={words.actionsOf(keyword.term)}
        trigger={<IconButton label={words.actionsOf(keyword.term)} icon={<More />} />}
        items={[{ label: words.remove, danger: true, onSelect: () => setDeleting(true) }]}
      />
      <DeleteKeyword
        keyword={keyword}
        open={deleting}
        onClose={() => setDeleting(false)}
        onDeleted={() => navigate('/keywords')}
      />
    </>
  )
}
