export function restoredText({ name, isRenamed }: { name: string; isRenamed: boolean }): string {
  return isRenamed ? `Restored as ${name}, because its name was taken.` : `${name} is restored.`
}
