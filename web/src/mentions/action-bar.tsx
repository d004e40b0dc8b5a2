import type { Mention } from '../api/mentions.ts'
import { keyOf } from '../app/key-table.ts'
import { Button } from '../kit/button.tsx'
import styles from './action-bar.module.css'
import type { MentionActions } from './use-mention-actions.tsx'
import { words } from './words.ts'

/** The actions on the mention that is shown, or on the selection. */
export function ActionBar({ actions, status }: { actions: MentionActions; status: Mention['status'] }) {
  const { setStatus, ask } = actions
  return (
    <div className={styles.room}>
      <div className={styles.bar} role="toolbar" aria-label={words.actions}>
        {status === 'open' ? (
          <>
            <Button variant="primary" keys={keyOf('done')} onClick={() => setStatus('done')}>
              {words.actDone}
            </Button>
            <Button keys={keyOf('ignore')} onClick={() => setStatus('ignored')}>
              {words.actIgnore}
            </Button>
          </>
        ) : (
          <Button variant="primary" keys={keyOf('reopen')} onClick={() => setStatus('open')}>
            {words.actReopen}
          </Button>
        )}
        <Button keys={keyOf('snooze')} onClick={() => ask('snooze')}>
          {words.actSnooze}
        </Button>
        <Button keys={keyOf('assign')} onClick={() => ask('assign')}>
          {words.actAssign}
        </Button>
        <Button keys={keyOf('note')} onClick={() => ask('note')}>
          {words.actNote}
        </Button>
        <Button keys={keyOf('less')} onClick={() => ask('less')}>
          {words.actLess}
        </Button>
      </div>
    </div>
  )
}
