import { Dialog } from '../kit/dialog.tsx'
import { Kbd } from '../kit/kbd.tsx'
import styles from './key-help.module.css'
import { KeySwitch } from './key-switch.tsx'
import { KEY_ACTIONS, KEY_SCOPES, KEYS } from './key-table.ts'
import { keyWords } from './key-words.ts'
import { ThemeChoice } from './theme-choice.tsx'
import { words } from './words.ts'

/** Every key, made from the table of keys, and the two preferences of this browser. */
export function KeyHelp({ onClose }: { onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title={words.keysHelp} wide>
      <div className={styles.preferences}>
        <KeySwitch />
        <ThemeChoice />
      </div>
      <div className={styles.scopes}>
        {KEY_SCOPES.map((scope) => (
          <section key={scope}>
            <h3>{words.scopes[scope]}</h3>
            <dl className={styles.keys}>
              {KEY_ACTIONS.filter((action) => KEYS[action].scope === scope).map((action) => (
                <div key={action} className={styles.line}>
                  <dt>{keyWords[action]}</dt>
                  <dd>
                    {KEYS[action].keys.map((keys) => (
                      <Kbd key={keys} keys={keys} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
