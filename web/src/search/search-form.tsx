import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useKeys } from '../app/keys.ts'
import { PlatformChoice } from '../app/new-keyword/platform-choice.tsx'
import type { SearchPlatform } from '../app/platforms.ts'
import { Button } from '../kit/button.tsx'
import { TextInput } from '../kit/field.tsx'
import { Search } from '../kit/icons.tsx'
import styles from './search-page.module.css'
import { words } from './words.ts'

export interface Wanted {
  q: string
  /** Null for all. */
  platforms: SearchPlatform[] | null
}

interface SearchFormProps {
  wanted: Wanted
  busy: boolean
  onSearch: (wanted: Wanted) => void
}

export function SearchForm({ wanted, busy, onSearch }: SearchFormProps) {
  const [q, setQ] = useState(wanted.q)
  const [platforms, setPlatforms] = useState(wanted.platforms)
  const input = useRef<HTMLInputElement>(null)
  // Back and forward change the address under the form.
  useEffect(() => setQ(wanted.q), [wanted.q])
  useEffect(() => input.current?.focus(), [])
  useKeys({ filter: () => input.current?.select() })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (q.trim() !== '' && !busy) onSearch({ q: q.trim(), platforms })
  }
  return (
    <search>
      <form className={styles.form} onSubmit={submit}>
        <div className={styles.line}>
          <TextInput
            ref={input}
            aria-label={words.term}
            placeholder={words.placeholder}
            value={q}
            maxLength={80}
            dir="auto"
            onChange={(event) => setQ(event.target.value)}
          />
          <Button type="submit" variant="primary" icon={<Search />} busy={busy}>
            {words.search}
          </Button>
        </div>
        <PlatformChoice value={platforms} onChange={setPlatforms} />
      </form>
    </search>
  )
}
