/** The command cannot be executed. The message is shown to the user. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}
