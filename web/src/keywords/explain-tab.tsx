import { useMutation } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { type FormEvent, useEffect, useState } from 'react'
import { Link, useSearchParams } from 'wouter'
import { type Explanation, explainKeyword, type Keyword } from '../api/keywords.ts'
import { useDraft } from '../app/kept-drafts.ts'
import { PLATFORM_NAMES, type Platform } from '../app/platforms.ts'
import { words as postWords } from '../app/post/words.ts'
import { RequestFailure } from '../app/request-failure.tsx'
import { Badge } from '../kit/badge.tsx'
import { Button } from '../kit/button.tsx'
import { Card } from '../kit/card.tsx'
import { Empty } from '../kit/empty.tsx'
import { Field, NativeSelect, TextArea } from '../kit/field.tsx'
import { Form } from '../kit/form.tsx'
import { Skeleton } from '../kit/skeleton.tsx'
import { toneClass } from '../kit/tone.ts'
import { VisuallyHidden } from '../kit/visually-hidden.tsx'
import { explainBody, outcomeOf, verdictOf } from './explain-input.ts'
import styles from './keywords.module.css'
import { words } from './words.ts'

const PLATFORM_OPTIONS = [
  { value: '', label: words.unknownPlatform },
  ...Object.entries(PLATFORM_NAMES).map(([value, label]) => ({ value, label })),
]

/** Explains a pasted text, or the post whose address stands in `?url=`. */
export function ExplainTab({ keyword }: { keyword: Keyword }) {
  const [params, setParams] = useSearchParams()
  const url = params.get('url') ?? ''
  const [text, setText] = useDraft(`explain ${keyword.id}`, url)
  const [platform, setPlatform] = useState<Platform | null>(null)
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (body: ReturnType<typeof explainBody>) => explainKeyword(keyword.id, body),
  })
  useEffect(() => {
    if (url !== '') mutate(explainBody(url, null))
  }, [url, mutate])
  const body = explainBody(text, platform)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '' || isPending) return
    if ('text' in body || body.url === url) mutate(body)
    else setParams({ url: body.url }, { replace: true })
  }
  return (
    <div className={styles.stack}>
      <Form onSubmit={submit}>
        <Field label={words.explainLabel} hint={words.explainHint}>
          <TextArea dir="auto" rows={3} value={text} onChange={(event) => setText(event.target.value)} />
        </Field>
        <div className={styles.chips}>
          {'text' in body && (
            <NativeSelect
              className={styles.auto}
              aria-label={words.explainPlatform}
              options={PLATFORM_OPTIONS}
              value={platform ?? ''}
              onChange={(event) => setPlatform((event.target.value || null) as Platform | null)}
            />
          )}
          <Button type="submit" variant="primary" disabled={text.trim() === ''} busy={isPending}>
            {words.explain}
          </Button>
        </div>
      </Form>
      {error !== null && <RequestFailure error={error} />}
      {isPending && data === undefined && <Skeleton lines={12} height={36} />}
      {data !== undefined && <Outcome explanation={data} />}
      {data === undefined && !isPending && error === null && (
        <Empty quiet title={words.explainEmpty}>
          {words.explainEmptyHint}
        </Empty>
      )}
    </div>
  )
}

function Outcome({ explanation }: { explanation: Explanation }) {
  const { known, matched, reason, steps, mention } = explanation
  const { verdict, tone } = verdictOf(matched)
  if (!known) return <p role="status">{words.unknownPost}</p>
  return (
    <Card title={words.verdicts[verdict]} aside={<Badge tone={tone}>{verdictWord(matched)}</Badge>}>
      <div className={styles.stack}>
        <p role="status" dir="auto">
          {reason}
          {mention !== null && (
            <>
              {' '}
              <Link href={`/mentions/${mention.id}`}>{words.openMention}</Link>
            </>
          )}
        </p>
        <ol className={styles.steps}>
          {steps.map((step) => (
            <Step key={step.step} step={step} />
          ))}
        </ol>
      </div>
    </Card>
  )
}

function verdictWord(passed: boolean | null): string {
  if (passed === null) return words.undecided
  return passed ? words.passed : words.failed
}

function Step({ step: { step, passed, detail } }: { step: Explanation['steps'][number] }) {
  const { sign, tone } = outcomeOf(passed)
  return (
    <li className={styles.step}>
      <span className={clsx(styles.sign, toneClass(tone))}>
        <span aria-hidden="true">{sign}</span>
        <VisuallyHidden>{verdictWord(passed)}</VisuallyHidden>
      </span>
      <span className={styles.title}>{postWords.steps[step]}</span>
      <span dir="auto">{detail}</span>
    </li>
  )
}
