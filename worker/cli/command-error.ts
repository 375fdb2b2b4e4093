/** The command cannot be carried out as given; its message is for whoever gave it. */
export class CommandFault extends Error {
  override readonly name = 'CommandFault'
}
