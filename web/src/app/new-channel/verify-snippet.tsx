import { useState } from 'react'
import { Button } from '../../kit/button.tsx'
import { CodeBlock } from '../../kit/code-block.tsx'
import styles from './new-channel.module.css'
import { type SnippetLanguage, VERIFY_SNIPPETS } from './verify-snippets.ts'
import { words } from './words.ts'

const LANGUAGES = Object.keys(VERIFY_SNIPPETS) as SnippetLanguage[]

/** How a receiver checks the signature, in the languages that receivers are written in. */
export function VerifySnippet() {
  const [language, setLanguage] = useState<SnippetLanguage>('Node.js')
  return (
    <details className={styles.local}>
      <summary>{words.verify}</summary>
      <div className={styles.stack}>
        <p>{words.verifyHint}</p>
        <fieldset className={styles.languages} aria-label={words.verifyLanguage}>
          {LANGUAGES.map((name) => (
            <Button key={name} size="small" aria-pressed={name === language} onClick={() => setLanguage(name)}>
              {name}
            </Button>
          ))}
        </fieldset>
        <CodeBlock language="text" label={language} code={VERIFY_SNIPPETS[language]} />
      </div>
    </details>
  )
}
