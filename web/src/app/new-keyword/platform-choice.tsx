import { useQuery } from '@tanstack/react-query'
import type { Source } from '../../api/workspace.ts'
import { VisuallyHidden } from '../../kit/visually-hidden.tsx'
import { PLATFORM_NAMES, SEARCH_PLATFORMS, type SearchPlatform } from '../platforms.ts'
import { SOURCES_QUERY } from '../workspace-queries.ts'
import styles from './platform-choice.module.css'
import { words } from './words.ts'

interface PlatformChoiceProps {
  /** Null for all. */
  value: readonly SearchPlatform[] | null
  onChange: (platforms: SearchPlatform[] | null) => void
  /** Whether no platform at all is a choice; otherwise the last one that goes brings all. */
  allowsNone?: boolean | undefined
}

export function PlatformChoice({ value, onChange, allowsNone = false }: PlatformChoiceProps) {
  const sources = useQuery(SOURCES_QUERY)
  const toggle = (platform: SearchPlatform) => {
    const chosen = SEARCH_PLATFORMS.filter((name) => (value?.includes(name) ?? false) !== (name === platform))
    onChange(chosen.length === 0 && !allowsNone ? null : chosen)
  }
  return (
    <fieldset className={styles.choice}>
      <legend className={styles.legend}>{words.platforms}</legend>
      <label className={styles.chip}>
        <input
          type="checkbox"
          checked={value === null}
          onChange={() => onChange(value === null && allowsNone ? [] : null)}
        />
        {words.allPlatforms}
      </label>
      {SEARCH_PLATFORMS.map((platform) => (
        <PlatformChip
          key={platform}
          platform={platform}
          source={sources.data?.data.find((source) => source.platform === platform)}
          checked={value?.includes(platform) ?? false}
          onToggle={() => toggle(platform)}
        />
      ))}
    </fieldset>
  )
}

interface PlatformChipProps {
  platform: SearchPlatform
  source: Source | undefined
  checked: boolean
  onToggle: () => void
}

function PlatformChip({ platform, source, checked, onToggle }: PlatformChipProps) {
  const trouble = source === undefined ? null : troubleOf(source)
  return (
    <label className={styles.chip} data-trouble={trouble !== null || undefined} title={trouble ?? undefined}>
      <input type="checkbox" checked={checked} onChange={onToggle} />
      {PLATFORM_NAMES[platform]}
      {trouble !== null && <VisuallyHidden>{` (${trouble})`}</VisuallyHidden>}
    </label>
  )
}

function troubleOf({ status, missing }: Source): string | null {
  if (status === 'degraded') return words.degraded
  if (status === 'ready') return null
  return missing.length === 0 ? words.notSetUp : `${words.notSetUp}: ${missing.join(', ')}`
}
