import { useEffect, useRef } from 'react'
import { Page } from '../app/page.tsx'
import { RequestFailure } from '../app/request-failure.tsx'
import { Skeleton } from '../kit/skeleton.tsx'
import { VisuallyHidden } from '../kit/visually-hidden.tsx'
import { foundAfterSeconds } from './mention-step.tsx'
import { NextPlaces } from './next-places.tsx'
import { ChannelSection, DeliverySection, MentionSection, RuleSection, TermSection, TestSection } from './sections.tsx'
import styles from './start.module.css'
import { headingId } from './step-section.tsx'
import { type StepName, type StepStates, stepStates, stepToFocus } from './steps.ts'
import { useMilestones } from './use-milestones.ts'
import { type Progress, useProgress } from './use-progress.ts'
import { useNewVisit, type Visit, VisitContext } from './visit.ts'
import { words } from './words.ts'

/** From the first term to the first signed delivery. */
export default function StartPage() {
  const handle = useNewVisit()
  const { progress, error, retry } = useProgress(handle.visit)
  const milestones = useMilestones(progress)
  return (
    <Page title={words.title}>
      <p className={styles.intro}>{words.intro}</p>
      {error !== null && <RequestFailure error={error} onRetry={retry} />}
      {progress === null && error === null && <Skeleton lines={6} height={56} />}
      <VisitContext value={handle}>
        {progress !== null && (
          <Steps progress={progress} states={stepStates(progress.done, reopenedStep(handle.visit, progress))} />
        )}
      </VisitContext>
      {progress?.done.delivery && <NextPlaces {...milestones} />}
    </Page>
  )
}

/** A step that was opened again for a channel closes when somebody connected the channel. */
function reopenedStep({ reopened, waitsFor }: Visit, { target }: Progress): StepName | null {
  return waitsFor !== null && target?.id === waitsFor ? null : reopened
}

function Steps({ progress, states }: { progress: Progress; states: StepStates }) {
  useStepFocus(states)
  const parts = { progress, states }
  return (
    <>
      <VisuallyHidden as="div">
        <span role="status">{announcement(progress)}</span>
      </VisuallyHidden>
      <ol className={styles.steps}>
        <TermSection {...parts} />
        <MentionSection {...parts} />
        <ChannelSection {...parts} />
        <TestSection {...parts} />
        <RuleSection {...parts} />
        <DeliverySection {...parts} />
      </ol>
    </>
  )
}

/** What arrived last, for those who do not see it slide in. */
function announcement({ done, mention, target }: Progress): string {
  if (done.delivery && target !== null) return words.deliveredTo(target.label)
  return mention === null ? '' : words.arrived(mention.keyword.term, foundAfterSeconds(mention))
}

/** Moves the focus to the step that opens, unless the person is at work in another. */
function useStepFocus(states: StepStates): void {
  const former = useRef(states)
  useEffect(() => {
    const name = stepToFocus(former.current, states)
    former.current = states
    if (name !== null && isFree(states)) document.getElementById(headingId(name))?.focus()
  }, [states])
}

function isFree(states: StepStates): boolean {
  const section = document.activeElement?.closest('section[aria-labelledby^="start-"]')
  const at = section?.getAttribute('aria-labelledby')
  return (
    at == null || (Object.keys(states) as StepName[]).some((name) => headingId(name) === at && states[name] !== 'open')
  )
}
