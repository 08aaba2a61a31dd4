/** Helplines, the emergency number first. It stays at the end of the conversation. */
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Resource } from '../../../src/safety/types.ts';
import type { Help } from '../chat/state.ts';
import { checkedOn, contactOf, type Service, servicesOf } from '../words/contact.ts';

/** Services shown at first in a crisis: the emergency number and a choice that is no burden. */
const FEW = 3;

interface Props {
  readonly card: RefObject<HTMLElement | null>;
  readonly help: Help;
  /** The first services are shown; otherwise only the very first, the emergency number. */
  readonly open: boolean;
  /** The person asked to see it: only then does it take the focus. */
  readonly asked: boolean;
  readonly onShown: () => void;
}

function formatDate(iso: string): string {
  const date = new Date(`${iso}T12:00:00Z`);
  return Number.isNaN(date.getTime()) ? iso : date.toLocaleDateString('en', { dateStyle: 'long' });
}

export function HelpCard({ card, help, open, asked, onShown }: Props) {
  const [chosen, setChosen] = useState<boolean | null>(null);
  const title = useRef<HTMLHeadingElement>(null);

  useEffect(() => setChosen(null), [help.turn]);
  useEffect(() => {
    if (!asked) return;
    setChosen(true);
    title.current?.focus();
    onShown();
  }, [asked, onShown]);

  const whole = chosen ?? false;
  const all = servicesOf(help.resources);
  const few = open ? FEW : 1;
  const checked = checkedOn(help.resources);
  return (
    <section class="help" ref={card} aria-labelledby="help-title">
      <h2 id="help-title" ref={title} tabIndex={-1}>
        People you can reach right now
      </h2>
      <ul id="help-list">
        {(whole ? all : all.slice(0, few)).map((service) => (
          <Line key={`${service.name} ${service.details}`} service={service} />
        ))}
      </ul>
      {all.length > few && (
        <button
          type="button"
          class="quiet"
          aria-expanded={whole}
          aria-controls="help-list"
          onClick={() => setChosen(!whole)}
        >
          {whole ? 'Show fewer' : `Show all ${all.length}`}
        </button>
      )}
      {(open || whole) && (
        <p class="help-foot">
          {help.disclosure}
          {help.disclosure !== '' && checked !== null && ' '}
          {checked !== null && `Contacts checked on ${formatDate(checked)}.`}
        </p>
      )}
    </section>
  );
}

function Line({ service }: { readonly service: Service }) {
  return (
    <li class={service.urgent ? 'line urgent' : 'line'}>
      <p class="who">
        <strong dir="auto">{service.name}</strong>
        {service.details.map((detail) => (
          <span key={detail} dir="auto">
            {detail}
          </span>
        ))}
      </p>
      <p class="ways">
        {service.resources.map((resource) => (
          <Way key={`${resource.kind} ${resource.contact}`} resource={resource} />
        ))}
      </p>
    </li>
  );
}

function Way({ resource }: { readonly resource: Resource }) {
  const { action, href } = contactOf(resource);
  if (href === null) return <span class="reach plain">{action}</span>;
  // Web pages open beside the conversation, so that it is not lost.
  const beside = href.startsWith('http') ? { target: '_blank', rel: 'noopener noreferrer' } : {};
  return (
    <a class="reach" href={href} aria-label={`${action}: ${resource.name}`} {...beside}>
      {action}
    </a>
  );
}
