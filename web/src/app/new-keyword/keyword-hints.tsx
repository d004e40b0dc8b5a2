import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Keyword, type KeywordHint, updateKeyword } from '../../api/keywords.ts'
import { Button } from '../../kit/button.tsx'
import { Notice } from '../../kit/notice.tsx'
import { RequestFailure } from '../request-failure.tsx'
import { offerUndo } from '../undo.ts'
import styles from './new-keyword.module.css'
import { words } from './words.ts'

/** Advice on a new keyword. What it suggests applies with one press. */
export function KeywordHints({ keyword, hints }: { keyword: Keyword; hints: readonly KeywordHint[] }) {
  return hints.map((hint) => (
    <Notice key={hint.code} tone="warning">
      <p>{hint.message}</p>
      {hint.suggestedContext !== undefined && <ContextHint keyword={keyword} context={hint.suggestedContext} />}
      {hint.requiredTerms !== undefined && <TermsHint keyword={keyword} terms={hint.requiredTerms} />}
    </Notice>
  ))
}

function ContextHint({ keyword, context }: { keyword: Keyword; context: string }) {
  const { id, term, context: former } = keyword
  return (
    <Applicable
      label={words.addContext}
      text={context}
      apply={() => updateKeyword(id, { context })}
      done={{ text: words.contextSet(term), revert: () => updateKeyword(id, { context: former }) }}
    />
  )
}

function TermsHint({ keyword, terms }: { keyword: Keyword; terms: string[] }) {
  const { id, term } = keyword
  const { requiredTerms, requiredMode } = keyword.matching
  return (
    <Applicable
      label={words.requireTerms(terms)}
      text={words.requireHelps}
      apply={() => updateKeyword(id, { matching: { requiredTerms: terms, requiredMode: 'any' } })}
      done={{
        text: words.termsRequired(term),
        revert: () => updateKeyword(id, { matching: { requiredTerms, requiredMode } }),
      }}
    />
  )
}

interface ApplicableProps {
  label: string
  text: string
  apply: () => Promise<Keyword>
  done: { text: string; revert: () => Promise<Keyword> }
}

function Applicable({ label, text, apply, done }: ApplicableProps) {
  const client = useQueryClient()
  const keep = (keyword: Keyword) => client.setQueryData(['keyword', keyword.id], keyword)
  const change = useMutation({
    mutationFn: apply,
    onSuccess: (keyword) => {
      keep(keyword)
      const revert = async () => {
        keep(await done.revert())
        change.reset()
      }
      offerUndo({ text: done.text, revert })
    },
  })
  return (
    <div className={styles.hint}>
      <p className={styles.quoted} dir="auto">
        {text}
      </p>
      <Button size="small" busy={change.isPending} disabled={change.isSuccess} onClick={() => change.mutate()}>
        {change.isSuccess ? words.applied : label}
      </Button>
      {change.error !== null && <RequestFailure error={change.error} />}
    </div>
  )
}
