import { useMemo } from 'react'
import styles from './code-block.module.css'
import { CopyButton } from './copy-button.tsx'
import { type Language, tokenize } from './tokenize.ts'

interface CodeBlockProps {
  code: string
  language: Language
  label: string
}

export function CodeBlock({ code, language, label }: CodeBlockProps) {
  return (
    <figure className={styles.block}>
      <figcaption className={styles.head}>
        <span className={styles.label}>{label}</span>
        <CopyButton value={code} label={label} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long code scrolls, also by the keyboard */}
      <pre className={styles.code} tabIndex={0} dir="ltr">
        <Tokens code={code} language={language} />
      </pre>
    </figure>
  )
}

function Tokens({ code, language }: Omit<CodeBlockProps, 'label'>) {
  const tokens = useMemo(() => tokenize(code, language), [code, language])
  return (
    <code>
      {tokens.map((token, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a token has no other identity than its place
        <span key={index} className={styles[token.kind]}>
          {token.text}
        </span>
      ))}
    </code>
  )
}
