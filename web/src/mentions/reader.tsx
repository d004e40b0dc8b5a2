import { Button } from '../kit/button.tsx'
import { ActionBar } from './action-bar.tsx'
import { MentionView, useFolding } from './mention-view.tsx'
import styles from './reader.module.css'
import type { ActiveMention } from './use-active-mention.ts'
import type { MentionActions } from './use-mention-actions.tsx'
import { words } from './words.ts'

/** The active mention beside the list, or in its place on a narrow screen. */
export function Reader({ active, actions }: { active: ActiveMention; actions: MentionActions }) {
  const { mention, close } = active
  const folding = useFolding()
  if (mention === null) return null
  return (
    <section className={styles.reader} aria-label={words.mention}>
      <div className={styles.back}>
        <Button variant="quiet" keys="u" onClick={close}>
          {words.backToList}
        </Button>
      </div>
      <div className={styles.scroll} key={mention.id}>
        <MentionView mention={mention} actions={actions} folding={folding} />
      </div>
      <div className={styles.actions}>
        <ActionBar actions={actions} status={mention.status} />
      </div>
    </section>
  )
}
