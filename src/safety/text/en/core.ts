/** English protocol: the sentences for the person's own risk. Reviewed by no clinician yet. */
import type { PoolSpec } from '../text.ts';

export const CORE: PoolSpec = {
  feeling: [
    [
      'listen',
      [
        'You say you feel {feeling}, and I want to take that seriously.',
        'Feeling {feeling} like this sounds very hard to carry.',
        'Thank you for putting it into words: {feeling} is a heavy place to be.',
        'I hear how {feeling} you are feeling right now.',
        'It matters that you said you feel {feeling}.',
      ],
    ],
  ],
  ack: [
    [
      'listen',
      [
        'I’m really glad you told me this.',
        'Thank you for saying that out loud; it takes courage.',
        'What you wrote is important, and I want to stay with it for a moment.',
        'I’m sorry that things hurt this much right now.',
        'That sounds like a great deal of pain to hold on your own.',
        'You don’t have to carry this by yourself.',
      ],
    ],
  ],
  ack_later: [
    [
      'listen',
      [
        'Thank you for staying and telling me more.',
        'I’m listening, and I’m not judging you.',
        'That helps me understand a little better.',
        'It’s good that you keep talking about it.',
        'I can tell how much effort it takes to say this.',
        'None of this is too much to say here.',
        'Take your time; short answers are fine.',
        'I hear that this is still very present.',
        'What you feel right now can change, even when it does not seem so.',
        'You are doing something hard by talking about it.',
        'I want to understand what this moment is like for you.',
        'Thank you for being honest about it.',
        'Let’s look at the next hour only, one small step at a time.',
        'You matter, and so does what happens next.',
      ],
    ],
  ],
  ask_suicide: [
    [
      'ask',
      [
        'Are you thinking about suicide?',
        'I’d like to ask you plainly, and any answer is okay: are you thinking about killing yourself?',
        'When you say that, do you mean that you are thinking of ending your life?',
        'Have you been having thoughts of suicide, today or in the last days?',
        'Are you having thoughts of killing yourself right now?',
      ],
    ],
  ],
  ask_plan: [
    [
      'ask',
      [
        'Have you thought about how you would do it, or is there something nearby that you would use? You don’t need to give me any details.',
        'Do you have a plan, or a time in mind?',
        'Have you already done something to hurt yourself today?',
        'Is there something near you that you feel pulled to use?',
      ],
    ],
  ],
  ask_now: [
    [
      'ask',
      [
        'Where are you right now, and is anyone with you?',
        'How safe do you feel for the next hour?',
        'What would make the next ten minutes a little safer?',
        'Who could be in the same room with you soon?',
        'What has made it stronger today?',
        'What has kept you going until now?',
      ],
    ],
  ],
  emergency: [
    [
      'emergency',
      [
        'If you might act on this, please call {emergency} now.',
        'Your life comes first: please call {emergency}, or ask someone near you to call.',
        'If you are in danger right now, {emergency} is the fastest help there is.',
        'Please let someone come to you: call {emergency} and say that you are thinking of suicide.',
        'You can call {emergency} and simply say “I am not safe”.',
        'If the urge gets stronger, don’t wait: call {emergency}.',
        'Going to the nearest emergency department is also right; {emergency} can bring you there.',
        'Calling {emergency} is okay even if you are unsure whether it is bad enough.',
        'If calling feels too hard, hand the phone to someone and have them call {emergency}.',
        'Help can be with you soon through {emergency}.',
        'This is the kind of moment that {emergency} is for.',
        'Until this passes, keep {emergency} within one tap on your phone.',
      ],
    ],
  ],
  company: [
    [
      'safe',
      [
        'Please don’t be alone with this: go to someone, or ask someone to come and stay with you.',
        'Could you tell one person near you, “I need you to stay with me right now”?',
        'A neighbour, a friend, a relative, someone at work: any person in the room makes it safer.',
        'If nobody can come, go to a place where there are people, such as a shop or a hospital entrance.',
        'Could you ask someone to stay on the phone with you until another person is there?',
      ],
    ],
  ],
  distance: [
    [
      'safe',
      [
        'Please put distance between you and anything you could use to hurt yourself: leave the room, or have someone take it away.',
        'Moving to another room, or out of the building, can give this moment time to pass.',
        'Could someone keep what you might use, somewhere you cannot reach, until you are safer?',
        'The strongest urges often come in waves; distance helps while one passes.',
        'Please stay away from alcohol and drugs for now; they make acting on it more likely.',
      ],
    ],
  ],
  lines: [
    [
      'connect',
      [
        'People who are trained for this will talk with you, without judging:',
        'These are people you can reach:',
        'Here is who can talk with you now:',
      ],
    ],
  ],
  lines_again: [
    [
      'connect',
      [
        'You could write or call {line} while we talk.',
        'Someone at {line} can stay on the line with you, which I cannot do.',
        'A first sentence for {line} could be: “I’m having thoughts of suicide and I need to talk.”',
        'You can also show what you wrote here to someone at {line}.',
        'Have you ever spoken with a service like {line}? What would make it easier?',
        'You don’t have to know what to say to {line}; they ask the questions.',
        'If the first try at {line} does not get through, please try once more or use another line.',
      ],
    ],
  ],
  stay: [
    [
      'stay',
      [
        'We can keep talking here while you reach someone.',
        'I’m here in this conversation; write whatever comes.',
        'You can answer in one word if that is easier.',
        'I won’t be shocked by what you say.',
        'Stay with me for another message.',
        'Write to me when you have reached someone, or when you can’t.',
        'We can go slowly.',
        'I’m reading everything that you write.',
        'Tell me what happens next for you.',
        'You can tell me as much or as little as you like.',
        'I’m ready for your next message.',
        'Let’s take this one message at a time.',
        'Write again when you can; I’ll read it.',
        'Even a single word tells me that you are still here.',
        'Pauses are fine; this conversation stays open.',
        'You can change your mind about what to tell me at any time.',
        'I would like to know how the next minutes go.',
        'You can come back to this conversation after you have talked with someone.',
      ],
    ],
  ],
  ai: [
    [
      'ai',
      [
        'I’m an AI, not a person, so I can’t come to you or call for you; a human being can.',
        'Because I’m an AI program, I can listen here, and people can do much more.',
        'I’m only software, an AI; please let a person know how you are as well.',
      ],
    ],
  ],
  retraction: [
    [
      'listen',
      [
        'Sometimes the truest things come out first and feel like too much afterwards.',
        'You don’t have to take it back for my sake.',
        'I’d rather ask once too often than pass over it.',
        'It can be a relief to call it a joke, and I still want to be sure.',
      ],
    ],
  ],
  no_promise: [
    [
      'stay',
      [
        'I can’t give you that promise: I’m an AI, and I may not be reachable when you need someone.',
        'You deserve more than a program that may be switched off; I want people around you who can hold on to you.',
        'I’m glad that talking here helps; it should not depend on a program alone, and it doesn’t have to.',
      ],
    ],
  ],
  answer_no: [
    [
      'listen',
      [
        'Thank you for answering me so plainly.',
        'Okay, thank you for telling me.',
        'I’m glad that you could say that.',
      ],
    ],
  ],
  calm: [
    [
      'listen',
      [
        'I’d still like to hear what is behind it.',
        'What has been the hardest part of the last days?',
        'If thoughts of suicide come, today or another day, you can say so here.',
        'How are you right now, compared with a few messages ago?',
        'What would you need most this evening?',
      ],
    ],
  ],
  check_in: [
    [
      'ask',
      [
        'I’d like to check in: how strong are the thoughts of suicide now, compared with before?',
        'Before we go on: how safe do you feel today?',
      ],
    ],
  ],
};
