/** The command cannot be carried out as given; its message is for whoever gave it. */
export class CommandError extends Error {
  override readonly name = 'CommandFault'
}
