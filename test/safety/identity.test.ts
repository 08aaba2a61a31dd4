import { describe, expect, it } from 'vitest';
import { asksWhoIsThere, identityReply } from '../../src/safety/index.ts';

describe('asksWhoIsThere', () => {
  it.each([
    'Are you a real person?',
    'are you human',
    'r u a bot??',
    'Are you really an AI?',
    'are you sure you’re not human?',
    'Hey, are you real?',
    'Am I talking to a robot?',
    'am i chatting with a real human being right now',
    'Is this a bot?',
    'is there a real person reading this?',
    'Who are you?',
    'hi, what are you?',
    "What's your name?",
    'what is your name',
    'ARE YOU A MACHINE',
    "I think you're a real person, right?",
    'are you a therapist?',
  ])('C15 hears the question in %j', (text) => {
    expect(asksWhoIsThere(text)).toBe(true);
  });

  it.each([
    'Are you sad?',
    'Are you really sure about that?',
    'My brother thinks I am a robot at work.',
    'What are you doing this weekend?',
    'Who are you cheering for?',
    'Is there someone I can talk to?',
    'The new person at work asked my name.',
    'You are a real friend.',
    'I am a real person too, you know.',
    `${'I told my doctor everything. '.repeat(6)}Are you human?`,
  ])('leaves %j to the model', (text) => {
    expect(asksWhoIsThere(text)).toBe(false);
  });
});

describe('identityReply', () => {
  it('always says AI, and says each answer once before one comes again', () => {
    const said: string[] = [];
    for (let turn = 0; turn < 4; turn++) said.push(identityReply(said));
    expect(new Set(said).size).toBe(4);
    for (const answer of [...said, identityReply(said)]) expect(answer).toMatch(/\bAI\b/);
  });
});
