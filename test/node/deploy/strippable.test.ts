import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { read } from './files.ts';

/** Lines with syntax that has a meaning at run time, so that Node's type stripping refuses the file. */
function unstrippable(name: string, text: string): string[] {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.ES2023, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const parent = node.parent;
    if (
      ts.isEnumDeclaration(node) ||
      ts.isModuleDeclaration(node) ||
      ts.isImportEqualsDeclaration(node) ||
      ts.isTypeAssertionExpression(node) ||
      (ts.isExportAssignment(node) && node.isExportEquals === true) ||
      (ts.isParameter(node) && ts.isParameterPropertyDeclaration(node, parent))
    ) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${name}:${line + 1}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

describe('the image runs the sources without tsx, so Node must be able to strip their types', () => {
  it('every file of the model server is strippable', () => {
    const root = fileURLToPath(new URL('../../../model-server/src', import.meta.url));
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    expect(files.length).toBeGreaterThan(30);
    const bad = files.flatMap((name) => unstrippable(name, read(`model-server/src/${name}`)));
    expect(bad).toEqual([]);
  });

  it.each([
    'enum Mood { Sad }',
    'namespace Mood { export const sad = 1; }',
    'class Mood { constructor(readonly sad: boolean) {} }',
    'const mood = <string>value;',
    'import mood = require("mood");',
  ])('and this would be noticed: %s', (text) => {
    expect(unstrippable('x.ts', text)).toEqual(['x.ts:1']);
  });
});
