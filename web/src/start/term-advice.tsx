import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type CreatedKeyword, type KeywordHint, updateKeyword } from '../api/keywords.ts'
import { offerUndo } from '../app/undo.ts'
import { Button } from '../kit/button.tsx'
import { Notice } from '../kit/notice.tsx'
import { StepFailure } from './step-failure.tsx'
import { Stranger } from './stranger.tsx'
import { words } from './words.ts'

/** Advice on the new keyword. What it suggests applies with one press. */
export function TermAdvice({ keyword }: { keyword: CreatedKeyword }) {
  if (keyword.hints.length === 0) return null
  return (
    <div role="status" aria-label={words.hints}>
      {keyword.hints.map((hint) => (
        <HintNotice key={hint.code} keyword={keyword} hint={hint} />
      ))}
    </div>
  )
}

interface Patch {
  label: string
  text: string
  body: Parameters<typeof updateKeyword>[1]
  former: Parameters<typeof updateKeyword>[1]
}

function patchOf({ term, context, matching }: CreatedKeyword, hint: KeywordHint): Patch | null {
  if (hint.suggestedContext !== undefined)
    return {
      label: words.useContext,
      text: words.contextSet(term),
      body: { context: hint.suggestedContext },
      former: { context },
    }
  const terms = hint.requiredTerms ?? []
  if (terms.length === 0) return null
  const { requiredTerms, requiredMode } = matching
  return {
    label: words.requireTerms(terms),
    text: words.termsRequired(term),
    body: { matching: { requiredTerms: terms, requiredMode: 'any' } },
    former: { matching: { requiredTerms, requiredMode } },
  }
}

function HintNotice({ keyword, hint }: { keyword: CreatedKeyword; hint: KeywordHint }) {
  const client = useQueryClient()
  const patch = patchOf(keyword, hint)
  const refresh = () => client.invalidateQueries({ queryKey: ['keywords'] })
  const application = useMutation({
    mutationFn: ({ body }: Patch) => updateKeyword(keyword.id, body),
    onSuccess: async (_, { text, former }) => {
      const revert = async () => {
        await updateKeyword(keyword.id, former)
        application.reset()
        await refresh()
      }
      offerUndo({ text, revert })
      await refresh()
    },
  })
  const act = patch !== null && (
    <Button
      size="small"
      disabled={application.isSuccess}
      busy={application.isPending}
      onClick={() => application.mutate(patch)}
    >
      {application.isSuccess ? words.applied : patch.label}
    </Button>
  )
  return (
    <Notice tone="warning" action={act}>
      <p>{hint.message}</p>
      {hint.suggestedContext !== undefined && (
        <p>
          <Stranger text={hint.suggestedContext} />
        </p>
      )}
      <StepFailure error={application.error} />
    </Notice>
  )
}
