import { Link } from 'wouter'
import { KeywordHints } from '../app/new-keyword/keyword-hints.tsx'
import { Button } from '../kit/button.tsx'
import { ChannelStep } from './channel-step.tsx'
import { DeliveryWait, ShownDelivery } from './delivery-step.tsx'
import { ArrivedMention, MentionWait } from './mention-step.tsx'
import { NewSecret } from './new-secret.tsx'
import { RuleStep } from './rule-step.tsx'
import styles from './start.module.css'
import { StepSection } from './step-section.tsx'
import type { StepName, StepStates } from './steps.ts'
import { TermStep } from './term-step.tsx'
import { ReceivedTest, TestStep } from './test-step.tsx'
import { RunningTrial } from './trial-offer.tsx'
import type { Progress } from './use-progress.ts'
import { useVisit } from './visit.ts'
import { words } from './words.ts'

interface SectionProps {
  progress: Progress
  states: StepStates
}

function Reopen({ name, label }: { name: StepName; label: string }) {
  const { change } = useVisit()
  return (
    <Button size="small" onClick={() => change({ reopened: name, waitsFor: null })}>
      {label}
    </Button>
  )
}

export function TermSection({ progress, states }: SectionProps) {
  const { keyword } = useVisit().visit
  return (
    <StepSection
      name="term"
      state={states.term}
      summary={words.watching(progress.keywordCount, keyword?.term ?? progress.firstTerm)}
      actions={
        <>
          <Reopen name="term" label={words.anotherTerm} />
          <Link href="/keywords">{words.toKeywords}</Link>
        </>
      }
    >
      {states.term === 'open' && <TermStep />}
      {keyword !== null && keyword.hints.length > 0 && (
        <div role="status" className={styles.stack}>
          <KeywordHints key={keyword.id} keyword={keyword} hints={keyword.hints} />
        </div>
      )}
    </StepSection>
  )
}

export function MentionSection({ progress: { mention }, states }: SectionProps) {
  const { visit } = useVisit()
  const isNew = visit.keyword !== null || visit.trial !== null
  return (
    <StepSection
      name="mention"
      state={states.mention}
      summary={mention !== null && isNew ? words.mentionArrived(mention.keyword.term) : words.mentionExists}
      actions={<Link href="/inbox">{words.toInbox}</Link>}
    >
      {states.mention === 'open' && <MentionWait />}
      {mention !== null && isNew && <ArrivedMention mention={mention} />}
      <RunningTrial />
    </StepSection>
  )
}

export function ChannelSection({ progress: { channels, target }, states }: SectionProps) {
  return (
    <StepSection
      name="channel"
      state={states.channel}
      summary={target !== null && words.channelIs(target)}
      actions={<Reopen name="channel" label={words.anotherChannel} />}
    >
      {states.channel === 'open' && <ChannelStep channels={channels} />}
      <NewSecret />
    </StepSection>
  )
}

export function TestSection({ progress: { target }, states }: SectionProps) {
  const { test } = useVisit().visit
  return (
    <StepSection
      name="test"
      state={states.test}
      summary={target !== null && testSummary(target.label, test?.channelId === target.id ? test.outcome : null)}
      actions={<Reopen name="test" label={test === null ? words.sendTest : words.testAgain} />}
    >
      {states.test === 'open' && target !== null && <TestStep channel={target} />}
      {target !== null && states.rule !== 'done' && <ReceivedTest channel={target} />}
    </StepSection>
  )
}

function testSummary(label: string, outcome: 'delivered' | 'failed' | 'skipped' | null): string {
  if (outcome === 'delivered') return words.testArrived(label)
  return outcome === 'skipped' ? words.testSkipped : words.testKnown
}

export function RuleSection({ progress: { target, ruleName }, states }: SectionProps) {
  return (
    <StepSection name="rule" state={states.rule} summary={ruleName !== null && words.ruleExists(ruleName)}>
      {states.rule === 'open' && target !== null && <RuleStep channel={target} />}
    </StepSection>
  )
}

export function DeliverySection({ progress: { target, delivery }, states }: SectionProps) {
  const isDelivered = states.delivery === 'done' && delivery !== null && target !== null
  const mentionId = delivery?.mention?.id
  return (
    <StepSection
      name="delivery"
      state={states.delivery}
      summary={target !== null && words.deliveredTo(target.label)}
      actions={mentionId !== undefined && <Link href={`/mentions/${mentionId}`}>{words.openMention}</Link>}
    >
      {states.delivery === 'open' && <DeliveryWait delivery={delivery} offersTrial={states.mention === 'done'} />}
      {isDelivered && <ShownDelivery delivery={delivery} channel={target} />}
    </StepSection>
  )
}
