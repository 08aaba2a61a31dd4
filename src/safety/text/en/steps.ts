/** English protocol: steps of a safety plan, grounding, and the routes of the flags. */
import type { PoolSpec } from '../text.ts';

export const STEPS: PoolSpec = {
  step_signs: [
    [
      'plan',
      [
        'What do you notice first when it starts to get worse: a thought, a feeling, a place?',
        'Knowing your own warning signs helps; what was the first one today?',
      ],
    ],
  ],
  step_coping: [
    [
      'plan',
      [
        'What is one small thing that has helped you, even for ten minutes, at another time?',
        'Could you do something with your hands or your body for a few minutes: a cold cloth, a walk inside, a shower?',
        'Is there music, an animal or a task that can hold your attention until the wave passes?',
      ],
    ],
  ],
  step_people: [
    [
      'plan',
      [
        'Who could you write to right now, even just “can you talk?”',
        'Is there someone you would pick up the phone for? They may well do so for you.',
        'Would it help if we found two sentences together that you can send to them?',
      ],
    ],
  ],
  step_places: [
    ['plan', ['Is there a place where you usually feel a little safer, and could you go there?']],
  ],
  step_professional: [
    [
      'connect',
      [
        'Is there a doctor or therapist who knows you, and could you call them today?',
        'A doctor’s practice or a clinic can see you at short notice if you say that you have thoughts of suicide.',
      ],
    ],
  ],
  step_reasons: [
    [
      'plan',
      [
        'Is there something, however small, that you would like to still be there for?',
        'What would a person who loves you want to know right now?',
      ],
    ],
  ],
  grounding: [
    [
      'ground',
      [
        'Let’s slow down together: breathe in for four counts, and out for six, three times.',
        'Look around and name five things that you can see; you can write them here.',
        'Press both feet into the floor and notice what it feels like, for half a minute.',
      ],
    ],
  ],
  medical: [
    [
      'overdose',
      [
        'Please call {emergency} right now. This can be treated, and every minute counts, even if you feel all right.',
        'Call {emergency} and say what happened and when; they will tell you what to do.',
        'If you can’t speak, have someone near you call {emergency}, or shout for help.',
        'Please don’t wait to see how it develops: {emergency}, now.',
      ],
    ],
  ],
  medical_care: [
    [
      'overdose',
      [
        'Unlock the door, sit where people can reach you, and keep anything that shows what it was. Don’t make yourself sick and don’t eat or drink more unless they tell you to.',
        'If it is a wound, press a clean cloth firmly on it and keep pressing.',
        'Stay awake and on the phone with them if you can.',
      ],
    ],
  ],
  medical_ask: [
    [
      'overdose',
      ['Have you called?', 'Is someone with you?', 'Are you awake enough to reach the door?'],
    ],
  ],
  medical_third: [
    [
      'overdose',
      [
        'Please call {emergency} right now and say what happened; they will tell you what to do until they come.',
        'If they are not breathing or you cannot wake them, tell {emergency} so at once and follow what they say.',
        'Don’t leave them alone, and don’t wait to see whether it gets better: {emergency}, now.',
      ],
    ],
  ],
  third_ack: [
    [
      'worried',
      [
        'It’s good that you are taking this seriously; being worried about someone like this is hard.',
        'Thank you for looking out for them.',
        'You are carrying a lot for someone else right now.',
        'I can hear how much they matter to you.',
      ],
    ],
  ],
  third_ask: [
    [
      'worried',
      [
        'Have they said anything about suicide, or about how or when?',
        'Are they alone right now, and could you or someone else be with them?',
        'Do you know whether they are in danger at this moment?',
      ],
    ],
  ],
  third_do: [
    [
      'worried',
      [
        'You can ask them directly, “Are you thinking about suicide?”; asking does not put the idea into anyone’s head.',
        'Listen without arguing or trying to fix it, and tell them that you are glad they told you.',
        'Don’t agree to keep it secret: tell a person who can help, such as a parent, a partner, a doctor or a teacher.',
        'If there is anything near that they could use to hurt themselves, help to put it out of reach, if that is safe for you.',
        'You could call one of the lines together with them, or for advice on your own.',
      ],
    ],
  ],
  third_urgent: [
    [
      'emergency',
      [
        'If they may act on it now, call {emergency} and say where they are.',
        'Please call {emergency} for them; it is the right thing even if they may be angry with you.',
        'If you can do so safely, stay with them until help comes; otherwise send someone, and call {emergency}.',
      ],
    ],
  ],
  third_you: [
    [
      'worried',
      [
        'Nobody should have to hold this alone; how are you yourself?',
        'The same lines are there for you as well.',
        'You can only do what a friend can do; let others help too.',
        'Looking after yourself is part of looking after them.',
        'Is there someone who could carry this with you?',
      ],
    ],
  ],
  selfharm_ack: [
    [
      'selfharm',
      [
        'Thank you for telling me about hurting yourself; many people do it to get through something unbearable, and you deserve care, not blame.',
        'I’m glad that you said it instead of hiding it.',
        'It sounds as if the hurt inside needed a way out.',
      ],
    ],
  ],
  selfharm_care: [
    [
      'selfharm',
      [
        'If you are hurt now, and it is deep or does not stop bleeding, please call {emergency} or go to an emergency department.',
        'If the urge is there now, try to put ten minutes and some distance between you and what you would use.',
        'A doctor can look at an injury without scolding you.',
      ],
    ],
  ],
  others: [
    [
      'harm',
      [
        'I’m glad that you said this before anything happened. Please move away from anyone you might hurt, and away from anything you could use.',
        'Thoughts of hurting someone can be frightening, and there is help before anyone gets hurt.',
        'If there are voices or thoughts that push you, you don’t have to do what they say.',
        'Go to a place where you cannot reach them, and tell a person you trust what is going on.',
      ],
    ],
  ],
  others_now: [
    [
      'emergency',
      [
        'If you might act on it, please call {emergency} now and tell them just what you told me.',
        'Please call {emergency}: they help you as well, not only others.',
        'If it gets stronger, {emergency} is the right call, straight away.',
      ],
    ],
  ],
  others_ask: [
    [
      'ask',
      [
        'Are you alone right now, and is anyone in danger this minute?',
        'What would help you to get some distance in the next few minutes?',
        'Are you having thoughts of hurting yourself as well?',
      ],
    ],
  ],
  abuse: [
    [
      'abuse',
      [
        'What is being done to you is not okay, and it is not your fault.',
        'Your safety comes first: if you can, get to a room with a way out, or to other people.',
        'You know your situation best; only do what is safe for you.',
      ],
    ],
  ],
  abuse_now: [
    [
      'emergency',
      [
        'If you are in danger now, call {emergency}; if you can’t speak, leave the line open.',
        'When it is safe for a moment, call {emergency} or ask someone to call.',
        'Please reach {emergency} as soon as you safely can.',
      ],
    ],
  ],
  abuse_ask: [
    [
      'ask',
      ['Are you safe right now?', 'Is there someone you could go to tonight?', 'Are you hurt?'],
    ],
  ],
};
