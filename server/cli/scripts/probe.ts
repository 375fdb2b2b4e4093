import type { Registration } from '../cli.ts'

export const registerProbe: Registration = (program, cli, action) => {
  program
    .command('probe')
    .summary('run a script on this computer')
    .description(
      'Runs, validates or parses a script of the probe language on this computer, without an installation. `soundline probe --help` shows its options.',
    )
    .usage('run|validate|parse SCRIPT [options]')
    // The options are those of the other program, its --help included.
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .argument('[args...]')
    .action(action((args: string[]) => cli.probe(args)))
}
