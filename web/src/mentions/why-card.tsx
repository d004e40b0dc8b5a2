import { useQuery } from '@tanstack/react-query'
import { type Explanation, explainKeyword } from '../api/keywords.ts'
import type { Mention } from '../api/mentions.ts'
import { keyOf } from '../app/key-table.ts'
import { words as postWords } from '../app/post/words.ts'
import { QueryPanel } from '../app/query-panel.tsx'
import { Check, Cross, Warning } from '../kit/icons.tsx'
import { FoldedCard } from './folded-card.tsx'
import styles from './why-card.module.css'
import { words } from './words.ts'

/** The explanation of a mention, asked for when somebody wants it. */
export function useExplanation({ id, keyword, post }: Mention, wanted: boolean) {
  return useQuery({
    queryKey: ['mentions', 'why', id],
    queryFn: ({ signal }) => explainKeyword(keyword.id, { url: post.url }, signal),
    enabled: wanted,
    staleTime: 300_000,
  })
}

interface WhyProps {
  explanation: ReturnType<typeof useExplanation>
  shown: boolean
  onShow: () => void
}

export function WhyCard({ explanation, shown, onShow }: WhyProps) {
  const hint = <p className={styles.hint}>{words.whyHint}</p>
  return (
    <FoldedCard title={words.why} keys={keyOf('why')} shown={shown} onShow={onShow} hint={hint}>
      <QueryPanel query={explanation} lines={6}>
        {({ steps }) => <Steps steps={steps} />}
      </QueryPanel>
    </FoldedCard>
  )
}

function Steps({ steps }: { steps: Explanation['steps'] }) {
  return (
    <ol className={styles.steps}>
      {steps.map(({ step, passed, detail }) => (
        <li key={step} className={styles.step} data-passed={String(passed)}>
          <Sign passed={passed} />
          <span>
            <b>{postWords.steps[step]}</b> <bdi>{detail}</bdi>
          </span>
        </li>
      ))}
    </ol>
  )
}

function Sign({ passed }: { passed: boolean | null }) {
  if (passed === null)
    return (
      <span role="img" aria-label={words.stepUnknown}>
        <Warning />
      </span>
    )
  return (
    <span role="img" aria-label={passed ? words.stepPassed : words.stepFailed}>
      {passed ? <Check /> : <Cross />}
    </span>
  )
}
