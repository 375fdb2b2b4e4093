/** Which fields and items of one value the keywords of a schema have looked at. */
export class Evaluated {
  readonly fields = new Set<string>()
  allFields = false
  /** How many items from the first on. */
  items = 0
  readonly scatteredItems = new Set<number>()
  /** Whether the schema says anything about objects. */
  describesObject = false

  merge(other: Evaluated): void {
    for (const field of other.fields) this.fields.add(field)
    for (const item of other.scatteredItems) this.scatteredItems.add(item)
    this.allFields ||= other.allFields
    this.items = Math.max(this.items, other.items)
    this.describesObject ||= other.describesObject
  }

  hasField(name: string): boolean {
    return this.allFields || this.fields.has(name)
  }

  hasItem(index: number): boolean {
    return index < this.items || this.scatteredItems.has(index)
  }
}
