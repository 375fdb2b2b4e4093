import { diff3MergeRegions } from 'node-diff3'

/** A part of a three-way comparison. Where only one side changed, `text` is that side's. */
export type MergePart =
  | { kind: 'same' | 'mine' | 'theirs'; text: string[]; base: string[] }
  | { kind: 'conflict'; mine: string[]; theirs: string[]; base: string[] }

export type MergeChoice = 'mine' | 'theirs' | 'both'

/** Compares two texts with the one on which both are based, by lines. */
export function compareThree(mine: string, base: string, theirs: string): MergePart[] {
  const [own, old, other] = [mine, base, theirs].map((text) => text.split('\n')) as [string[], string[], string[]]
  return diff3MergeRegions(own, old, other).map((region): MergePart => {
    if (region.stable) {
      const kind = { a: 'mine', o: 'same', b: 'theirs' }[region.buffer] as 'mine' | 'same' | 'theirs'
      return { kind, text: region.bufferContent as string[], base: [] }
    }
    const parts = { mine: region.aContent as string[], theirs: region.bContent as string[] }
    const isSame = parts.mine.join('\n') === parts.theirs.join('\n')
    if (isSame) return { kind: 'same', text: parts.mine, base: region.oContent as string[] }
    return { kind: 'conflict', ...parts, base: region.oContent as string[] }
  })
}

/** Returns the merged text. `choices` has an entry for each conflict, by its place among the parts. */
export function mergedText(parts: MergePart[], choices: ReadonlyMap<number, MergeChoice>): string {
  return parts
    .flatMap((part, index) => {
      if (part.kind !== 'conflict') return part.text
      const choice = choices.get(index) ?? 'mine'
      return choice === 'both' ? [...part.theirs, ...part.mine] : part[choice]
    })
    .join('\n')
}
