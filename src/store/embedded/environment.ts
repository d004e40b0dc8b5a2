/** Others stay private: anyone acting as the server's user can read the environment of its processes. */
const PASSED_ON = [
  ...['PATH', 'TZ', 'TZDIR', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'NIX_LD', 'NIX_LD_LIBRARY_PATH'],
  ...[
    'SystemRoot',
    'SystemDrive',
    'windir',
    'ComSpec',
    'PATHEXT',
    'TEMP',
    'TMP',
    'USERPROFILE',
    'APPDATA',
    'LOCALAPPDATA',
  ],
]

export function serverEnvironment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const passed = PASSED_ON.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(passed), ...more, LC_ALL: 'C' }
}
