import { useLocation } from 'wouter'
import type { ShareOfVoice } from '../api/analytics.ts'
import { followBy } from '../kit/follow.ts'
import { formatShare } from '../kit/share.tsx'
import styles from './analytics.module.css'
import { voiceName } from './voices.ts'

type Voice = ShareOfVoice['data'][number]

interface VoiceSlicesProps {
  voices: readonly Voice[]
  colourAt: (index: number) => string
  hrefOf: (voice: Voice) => string
}

/** One bar whose slices lead to their mentions. The table below has the same links for keys. */
export function VoiceSlices({ voices, colourAt, hrefOf }: VoiceSlicesProps) {
  const [, navigate] = useLocation()
  return (
    <div className={styles.slices} aria-hidden="true">
      {voices.map((voice, index) =>
        voice.share === null || voice.share === 0 ? null : (
          <a
            key={voice.keyword?.id ?? voice.kind}
            href={hrefOf(voice)}
            tabIndex={-1}
            title={`${voiceName(voice)} ${formatShare(voice.share)}`}
            className={styles.slice}
            style={{ flexGrow: voice.share, background: `var(${colourAt(index)})` }}
            onClick={followBy(navigate)}
          >
            {voice.share > 0.08 && <span>{voiceName(voice)}</span>}
          </a>
        ),
      )}
    </div>
  )
}
