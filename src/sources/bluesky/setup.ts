import type { Setup } from '../setup.ts'
import type { SETTINGS } from './settings.ts'
import { bluesky } from './source.ts'

export const setup: Setup<typeof SETTINGS> = ({
  BSKY_JETSTREAM_HOSTS: hosts = [],
  BSKY_HANDLE: handle,
  BSKY_APP_PASSWORD: appPassword,
}) => bluesky({ hosts, account: handle && appPassword ? { handle, appPassword } : null })
