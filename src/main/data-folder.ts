import { isAbsolute, join } from 'node:path'

interface Machine {
  platform: NodeJS.Platform
  environment: Readonly<Record<string, string | undefined>>
  home: string
  isRoot: boolean
}

/** Where an installed package keeps its data: the folder that the system has for data of the user. */
export function dataFolderOf({ platform, environment, home, isRoot }: Machine): string {
  const chosen = (name: string) => {
    const folder = environment[name] ?? ''
    return isAbsolute(folder) ? folder : null
  }
  if (platform === 'win32') return join(chosen('LOCALAPPDATA') ?? join(home, 'AppData', 'Local'), 'Earshot')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Earshot')
  const xdg = chosen('XDG_DATA_HOME')
  // Root runs the database as another user, who cannot enter the home of root.
  if (isRoot && xdg === null) return '/var/lib/earshot'
  return join(xdg ?? join(home, '.local', 'share'), 'earshot')
}
