import { describe, expect, it } from 'vitest';
import toml from '../../wrangler.toml?raw';

/** The headers and keys of a TOML file, enough to compare two halves of the same file. */
function bindingsOf(section: 'top' | 'production'): string[] {
  const lines = toml.split('\n');
  const names: string[] = [];
  let inside = section === 'top';
  let header = '';
  for (const line of lines) {
    const opened = /^\[+([\w.]+)\]+$/.exec(line.trim())?.[1];
    if (opened !== undefined) {
      inside = opened.startsWith('env.production') === (section === 'production');
      header = opened.replace(/^env\.production\.?/, '');
    } else if (
      inside &&
      /^(binding|name|class_name|new_sqlite_classes|run_worker_first|directory|tag)\s*=/.test(line)
    ) {
      if (header !== '') names.push(`${header}: ${line.trim()}`);
    }
  }
  return names.sort();
}

function variablesOf(section: 'top' | 'production'): string[] {
  const inline = /\[env\.production\][\s\S]*?vars = \{([^}]*)\}/.exec(toml)?.[1] ?? '';
  const block = /\[vars\]([\s\S]*?)\n\n/.exec(toml)?.[1] ?? '';
  return [...(section === 'top' ? block : inline).matchAll(/(\w+)\s*=/g)]
    .flatMap((m) => m[1] ?? [])
    .sort();
}

describe('wrangler.toml', () => {
  it('repeats every binding under [env.production], where none is inherited', () => {
    expect(bindingsOf('top').length).toBeGreaterThan(8);
    expect(bindingsOf('production')).toEqual(bindingsOf('top'));
    expect(variablesOf('production')).toEqual(variablesOf('top'));
    expect(variablesOf('top')).toContain('MODEL_SERVER_URL');
  });

  it('S01 switches the request signal on and keeps the storage kind of the coordinator', () => {
    expect(toml).toContain('"enable_request_signal"');
    expect(toml).toMatch(/new_sqlite_classes = \["SessionCoordinator"\]/);
  });
});
