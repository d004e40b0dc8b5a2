/** Names that commands of the client read. The environment of a service may have them too. */
export const CLIENT_VARIABLES = ['EARSHOT_API_KEY', 'EARSHOT_URL', 'EARSHOT_PROFILE', 'EARSHOT_CONFIG_DIR'] as const
